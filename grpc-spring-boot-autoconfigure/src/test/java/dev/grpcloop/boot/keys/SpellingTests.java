package dev.grpcloop.boot.keys;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link Spelling}.
 */
class SpellingTests {

	@ParameterizedTest
	@CsvSource({ "grpc.server.max-age,grpc.server.maxage", "grpc.server.maxAge,grpc.server.maxage",
			"grpc.server.MAX_AGE,grpc.server.maxage", "list[0].key,list.0.key", "map[a.b],map.a.b", "map.[x],map.x" })
	void whatSpringBootDoesNotSeeIsTakenOut(String key, String uniform) {
		assertThat(Spelling.uniform(key)).isEqualTo(uniform);
	}

	@ParameterizedTest
	@CsvSource({ "port,port,0", "port,prot,1", "port,por,1", "port,sport,1", "port,pirt,1", "workers,wokrer,2",
			"'',port,4", "port,'',4", "abc,cab,2", "sever,server,1", "client,server,6" })
	void slipsAreCounted(String one, String other, int slips) {
		assertThat(Spelling.distance(one, other)).isEqualTo(slips);
		assertThat(Spelling.distance(other, one)).isEqualTo(slips);
	}

}
