package dev.grpcloop.boot.validation;

import dev.grpcloop.boot.test.orders.v1.Order;
import dev.grpcloop.boot.test.orders.v1.Stop;
import dev.grpcloop.boot.test.orders.v1.Ticket;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The fields of Java properties.
 */
class JavaPropertyTests {

	@ParameterizedTest
	@CsvSource({ "passengerName,passenger_name", "passengerNameBytes,passenger_name", "passengerName_,passenger_name",
			"passenger_name,passenger_name", "from,from", "fromOrBuilder,from", "stopsOnWayList,stops_on_way",
			"stopsOnWayCount,stops_on_way", "stopsOnWayOrBuilderList,stops_on_way", "stopsOnWay_,stops_on_way",
			"byLineMap,by_line", "byLineCount,by_line", "byLine,by_line", "remarksList,remarks", "kind,kind",
			"kindValue,kind", "photo,photo", "line2Name,line2_name", "XY,x_y", "xY,x_y" })
	void theGeneratorsNamesAreKnown(String property, String field) {
		assertThat(JavaProperty.of(property, Ticket.getDescriptor()).fieldName()).isEqualTo(field);
	}

	@Test
	void theTypeOfElementsAndValuesIsKnown() {
		assertThat(JavaProperty.of("from", Ticket.getDescriptor()).messageType()).isEqualTo(Stop.getDescriptor());
		assertThat(JavaProperty.of("stopsOnWayList", Ticket.getDescriptor()).messageType())
			.isEqualTo(Stop.getDescriptor());
		assertThat(JavaProperty.of("byLineMap", Ticket.getDescriptor()).messageType()).isEqualTo(Stop.getDescriptor());
		assertThat(JavaProperty.of("remarksList", Ticket.getDescriptor()).messageType()).isNull();
		assertThat(JavaProperty.of("labelsMap", Order.getDescriptor()).messageType()).isNull();
	}

	@Test
	void aOneofIsKnownByItsCase() {
		assertThat(JavaProperty.of("paymentCase", Order.getDescriptor()).fieldName()).isEqualTo("payment");
	}

	@Test
	void othersAreWrittenLikeFields() {
		assertThat(JavaProperty.of("someThingElse", Ticket.getDescriptor()).fieldName()).isEqualTo("some_thing_else");
		assertThat(JavaProperty.of("someThingElse", null).fieldName()).isEqualTo("some_thing_else");
	}

}
