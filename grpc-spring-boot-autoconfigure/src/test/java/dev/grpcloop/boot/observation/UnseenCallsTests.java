package dev.grpcloop.boot.observation;

import java.util.concurrent.TimeUnit;

import dev.grpcloop.boot.statistics.CallRecorder;
import dev.grpcloop.boot.test.v1.GreeterGrpc;
import io.grpc.Status;
import io.micrometer.common.KeyValue;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.Tag;
import io.micrometer.core.instrument.binder.grpc.DefaultGrpcServerObservationConvention;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.micrometer.observation.ObservationFilter;
import io.micrometer.observation.ObservationPredicate;
import org.junit.jupiter.api.Test;

import org.springframework.beans.factory.support.StaticListableBeanFactory;

import static org.assertj.core.api.Assertions.assertThat;

class UnseenCallsTests {

	private final SimpleMeterRegistry meters = new SimpleMeterRegistry();

	private final StaticListableBeanFactory beans = new StaticListableBeanFactory();

	@Test
	void onlyWhatNobodyElseHasSeenIsRecorded() {
		CallRecorder recorder = new UnseenCalls(this.meters, this.beans).create(GreeterGrpc.getHelloMethod());
		recorder.closed(Status.OK, 1, true);
		assertThat(this.meters.getMeters()).isEmpty();
		recorder.closed(Status.RESOURCE_EXHAUSTED, 7, false);
		recorder.closed(Status.RESOURCE_EXHAUSTED, 8, false);
		recorder.closed(Status.UNKNOWN.withCause(new IllegalStateException()), 9, false);
		assertThat(this.meters.get("grpc.server")
			.tags("rpc.service", "test.v1.Greeter", "rpc.method", "Hello", "rpc.type", "UNARY", "grpc.status_code",
					"RESOURCE_EXHAUSTED", "error", "none")
			.timer()
			.totalTime(TimeUnit.NANOSECONDS)).isEqualTo(15);
		assertThat(this.meters.get("grpc.server").tag("error", "IllegalStateException").timer().count()).isEqualTo(1);
	}

	@Test
	void nameAndTagsAreThoseOfTheApplication() {
		this.beans.addBean("convention", new DefaultGrpcServerObservationConvention() {

			@Override
			public String getName() {
				return "calls";
			}

		});
		this.beans.addBean("filter",
				(ObservationFilter) (context) -> context.addLowCardinalityKeyValue(KeyValue.of("region", "eu")));
		new UnseenCalls(this.meters, this.beans).create(null).closed(Status.UNIMPLEMENTED, 1, false);
		assertThat(this.meters.getMeters()).singleElement()
			.extracting(Meter::getId)
			.satisfies((id) -> assertThat(id.getName()).isEqualTo("calls"))
			.satisfies((id) -> assertThat(id.getTags()).contains(Tag.of("region", "eu"), Tag.of("rpc.type", "UNKNOWN"))
				.hasSize(6));
	}

	@Test
	void whatIsNotObservedIsNotRecordedByAnybody() {
		this.beans.addBean("predicate", (ObservationPredicate) (name, context) -> !name.equals("grpc.server"));
		new UnseenCalls(this.meters, this.beans).create(null).closed(Status.UNIMPLEMENTED, 1, false);
		assertThat(this.meters.getMeters()).isEmpty();
	}

}
