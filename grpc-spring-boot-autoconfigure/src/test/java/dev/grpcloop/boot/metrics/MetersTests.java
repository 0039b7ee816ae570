package dev.grpcloop.boot.metrics;

import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;

import dev.grpcloop.boot.statistics.ServerStatistics;
import dev.grpcloop.boot.test.v1.GreeterGrpc;
import dev.grpcloop.engine.telemetry.CloseReason;
import dev.grpcloop.engine.telemetry.Guard;
import dev.grpcloop.engine.telemetry.LoopTelemetry;
import dev.grpcloop.engine.telemetry.MethodTelemetry;
import io.grpc.Status;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.Tag;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for the meters as a whole.
 */
class MetersTests {

	private final SimpleMeterRegistry registry = new SimpleMeterRegistry();

	private final ServerStatistics telemetry = statistics(this.registry, true);

	@Test
	void aCallIsOneRecordOfItsTimer() {
		MethodTelemetry hello = this.telemetry.loop(0).method(GreeterGrpc.getHelloMethod());
		hello.callStarted(0);
		hello.callClosed(Status.OK, 0, 1_500_000, true);
		assertThat(this.registry.get("grpc.server").timers()).singleElement().satisfies((timer) -> {
			assertThat(timer.count()).isEqualTo(1);
			assertThat(timer.totalTime(TimeUnit.NANOSECONDS)).isEqualTo(1_500_000);
			assertThat(timer.getId().getTags()).containsExactlyInAnyOrder(Tag.of("rpc.service", "test.v1.Greeter"),
					Tag.of("rpc.method", "Hello"), Tag.of("rpc.type", "UNARY"), Tag.of("grpc.status_code", "OK"),
					Tag.of("error", "none"));
		});
	}

	@Test
	void whatTheServiceThrewIsTheError() {
		MethodTelemetry hello = this.telemetry.loop(0).method(GreeterGrpc.getHelloMethod());
		hello.callStarted(0);
		hello.callClosed(Status.UNKNOWN.withCause(new IllegalStateException()), 0, 1, true);
		hello.callStarted(0);
		hello.callClosed(Status.UNKNOWN, 0, 1, true);
		assertThat(this.registry.get("grpc.server")
			.tags("grpc.status_code", "UNKNOWN", "error", "IllegalStateException")
			.timer()
			.count()).isEqualTo(1);
		assertThat(
				this.registry.get("grpc.server").tags("grpc.status_code", "UNKNOWN", "error", "none").timer().count())
			.isEqualTo(1);
	}

	@Test
	void methodsThatTheServerDoesNotKnowShareOneValue() {
		MethodTelemetry unknown = this.telemetry.loop(0).method(null);
		unknown.callStarted(0);
		unknown.callClosed(Status.UNIMPLEMENTED, 0, 1, true);
		assertThat(this.registry.get("grpc.server").timer().getId().getTags()).containsExactlyInAnyOrder(
				Tag.of("rpc.service", "UNKNOWN"), Tag.of("rpc.method", "UNKNOWN"), Tag.of("rpc.type", "UNKNOWN"),
				Tag.of("grpc.status_code", "UNIMPLEMENTED"), Tag.of("error", "none"));
	}

	@Test
	void allLoopsCountInOneMeter() {
		for (int loop = 0; loop < 3; loop++) {
			LoopTelemetry numbers = this.telemetry.loop(loop);
			numbers.connectionOpened();
			numbers.bytesReceived(10);
			numbers.bytesSent(100);
			MethodTelemetry hello = numbers.method(GreeterGrpc.getHelloMethod());
			hello.callStarted(0);
			hello.messageReceived(7);
			hello.messageSent(7);
			hello.messageSent(7);
		}
		this.telemetry.loop(0).connectionClosed(CloseReason.PEER);
		this.telemetry.loop(0).method(GreeterGrpc.getHelloMethod()).callClosed(Status.OK, 0, 1, true);
		assertThat(this.registry.get("grpc.server.received").functionCounter().count()).isEqualTo(3);
		assertThat(this.registry.get("grpc.server.sent").functionCounter().count()).isEqualTo(6);
		assertThat(this.registry.get("grpc.engine.bytes.received").functionCounter().count()).isEqualTo(30);
		assertThat(this.registry.get("grpc.engine.bytes.sent").functionCounter().count()).isEqualTo(300);
		assertThat(this.registry.get("grpc.engine.connections.active").gauge().value()).isEqualTo(2);
		assertThat(this.registry.get("grpc.engine.calls.active").gauge().value()).isEqualTo(2);
	}

	@Test
	void everyGuardIsThereBeforeItHasTripped() {
		assertThat(trips()).hasSize(Guard.values().length)
			.containsEntry("rapid-reset", 0.0)
			.containsEntry("foreign-protocol", 0.0)
			.allSatisfy((guard, count) -> assertThat(count).isZero());
	}

	@Test
	void everyTripCountsForItsGuardAlone() {
		Map<String, Double> expected = new TreeMap<>();
		int trips = 0;
		for (Guard guard : Guard.values()) {
			trips++;
			for (int trip = 0; trip < trips; trip++) {
				this.telemetry.loop(trip % 2).guardTripped(guard);
			}
			expected.put(guard.name().toLowerCase(Locale.ROOT).replace('_', '-'), (double) trips);
		}
		assertThat(trips()).isEqualTo(expected);
		assertThat(this.registry.get("grpc.engine.bytes.sent").functionCounter().count()).isZero();
	}

	private Map<String, Double> trips() {
		Map<String, Double> trips = new TreeMap<>();
		this.registry.get("grpc.engine.guard.trips")
			.functionCounters()
			.forEach((counter) -> trips.put(counter.getId().getTag("guard"), counter.count()));
		return trips;
	}

	@Test
	void loopsOfTheNextServerGoOnCounting() {
		for (int start = 1; start <= 3; start++) {
			LoopTelemetry loop = this.telemetry.loop(0);
			loop.connectionOpened();
			loop.connectionClosed(CloseReason.PEER);
			loop.bytesReceived(10);
			MethodTelemetry hello = loop.method(GreeterGrpc.getHelloMethod());
			hello.callStarted(0);
			hello.messageReceived(7);
			hello.callClosed(Status.OK, 0, 1, true);
			assertThat(this.registry.get("grpc.server").timer().count()).isEqualTo(start);
			assertThat(this.registry.get("grpc.server.received").functionCounter().count()).isEqualTo(start);
			assertThat(this.registry.get("grpc.engine.bytes.received").functionCounter().count()).isEqualTo(10 * start);
			assertThat(this.registry.get("grpc.engine.connections.active").gauge().value()).isZero();
		}
		assertThat(this.telemetry.loop(0)).isSameAs(this.telemetry.loop(0));
	}

	@Test
	void whereSomebodyElseRecordsCallsOnlyTheEngineIsMeasured() {
		SimpleMeterRegistry registry = new SimpleMeterRegistry();
		MethodTelemetry hello = statistics(registry, false).loop(0).method(GreeterGrpc.getHelloMethod());
		hello.callStarted(0);
		hello.messageReceived(7);
		hello.messageSent(7);
		assertThat(registry.get("grpc.engine.calls.active").gauge().value()).isEqualTo(1);
		hello.callClosed(Status.OK, 0, 1, true);
		assertThat(registry.get("grpc.engine.calls.active").gauge().value()).isZero();
		assertThat(names(registry)).isNotEmpty().allMatch((name) -> name.startsWith("grpc.engine."));
	}

	private static ServerStatistics statistics(SimpleMeterRegistry registry, boolean recordCalls) {
		ServerStatistics statistics = new ServerStatistics(new CallMetersFactory(registry, recordCalls));
		new EngineMeters(statistics).bindTo(registry);
		return statistics;
	}

	private static Set<String> names(SimpleMeterRegistry registry) {
		return registry.getMeters()
			.stream()
			.map(Meter::getId)
			.map(Meter.Id::getName)
			.collect(Collectors.toCollection(TreeSet::new));
	}

}
