package dev.grpcloop.sample;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.context.SpringBootTest.WebEnvironment;
import org.springframework.boot.test.web.server.LocalServerPort;
import org.springframework.core.env.Environment;
import org.springframework.core.env.MapPropertySource;
import org.springframework.core.env.StandardEnvironment;
import org.springframework.http.HttpStatus;
import org.springframework.web.client.RestClient;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * The switch of the page at {@code /}, and what it does.
 */
@SpringBootTest(webEnvironment = WebEnvironment.RANDOM_PORT)
class LoadTests {

	@Autowired
	private Environment environment;

	@LocalServerPort
	private int webPort;

	private RestClient web;

	@AfterEach
	void turnOff() {
		web().delete().uri("/load").retrieve().toBodilessEntity();
	}

	@Test
	void callsWhileItIsTurnedOn() {
		assertThat(load().running()).isFalse();
		LoadState started = web().put().uri("/load").retrieve().body(LoadState.class);
		assertThat(started).isNotNull();
		assertThat(started.running()).isTrue();
		assertThat(started.secondsLeft()).isBetween(1L, Load.LONGEST.toSeconds());
		assertThat(started.port()).isEqualTo(grpcPort());
		await().untilAsserted(() -> assertThat(load().ended()).isGreaterThan(100));
		LoadState stopped = web().delete().uri("/load").retrieve().body(LoadState.class);
		assertThat(stopped).isNotNull();
		assertThat(stopped.running()).isFalse();
		await().untilAsserted(() -> {
			JsonNode connections = report().get("connections");
			assertThat(connections.get("opened").asLong()).isPositive();
			assertThat(connections.get("open").asLong()).isZero();
		});
	}

	@Test
	void makesCallsOfEveryKindAndOutcome() {
		web().put().uri("/load").retrieve().toBodilessEntity();
		await().atMost(Duration.ofSeconds(60)).untilAsserted(() -> {
			JsonNode report = report();
			assertThat(report.findValuesAsString("INVALID_ARGUMENT")).isNotEmpty();
			assertThat(report.findValuesAsString("CANCELLED")).isNotEmpty();
			assertThat(report.get("unknownMethods").get("statuses").get("UNIMPLEMENTED").asLong()).isPositive();
		});
	}

	@Test
	void endsByItself() {
		AtomicReference<Instant> now = new AtomicReference<>(Instant.EPOCH);
		Load load = new Load(this.environment, new SettableClock(now));
		assertThat(load.start()).isTrue();
		now.set(Instant.EPOCH.plus(Load.LONGEST).minusMillis(1));
		assertThat(load.state().running()).isTrue();
		now.set(Instant.EPOCH.plus(Load.LONGEST));
		await().untilAsserted(() -> assertThat(load.state().running()).isFalse());
	}

	@Test
	void staysOffWithoutAPortToCall() {
		Load load = new Load(new StandardEnvironment());
		assertThat(load.start()).isFalse();
		assertThat(load.state()).isEqualTo(new LoadState(false, 0, 0, null));
	}

	@Test
	void endsWithTheApplication() {
		StandardEnvironment elsewhere = new StandardEnvironment();
		elsewhere.getPropertySources()
			.addFirst(new MapPropertySource("port", Map.of("local.grpc.server.port", grpcPort())));
		Load load = new Load(elsewhere);
		assertThat(load.start()).isTrue();
		load.destroy();
		assertThat(load.state().running()).isFalse();
	}

	@Test
	void hasAPageThatOtherPagesCannotUse() {
		String page = web().get().uri("/").retrieve().body(String.class);
		assertThat(page).contains("actuator/grpc/dashboard", "actuator/prometheus", "actuator/health");
		HttpStatus posted = web().post()
			.uri("/load")
			.exchange((request, response) -> HttpStatus.valueOf(response.getStatusCode().value()));
		assertThat(posted).isEqualTo(HttpStatus.METHOD_NOT_ALLOWED);
	}

	private LoadState load() {
		LoadState state = web().get().uri("/load").retrieve().body(LoadState.class);
		assertThat(state).isNotNull();
		return state;
	}

	private JsonNode report() {
		JsonNode report = web().get().uri("/actuator/grpc").retrieve().body(JsonNode.class);
		assertThat(report).isNotNull();
		return report;
	}

	private int grpcPort() {
		return this.environment.getRequiredProperty("local.grpc.server.port", Integer.class);
	}

	private RestClient web() {
		if (this.web == null) {
			this.web = RestClient.create("http://localhost:" + this.webPort);
		}
		return this.web;
	}

	/**
	 * A clock that a test sets.
	 */
	private static final class SettableClock extends Clock {

		private final AtomicReference<Instant> now;

		private SettableClock(AtomicReference<Instant> now) {
			this.now = now;
		}

		@Override
		public Instant instant() {
			return this.now.get();
		}

		@Override
		public ZoneOffset getZone() {
			return ZoneOffset.UTC;
		}

		@Override
		public Clock withZone(ZoneId zone) {
			return this;
		}

	}

}
