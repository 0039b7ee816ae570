package dev.grpcloop.boot.metrics;

import java.lang.ref.WeakReference;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;

import dev.grpcloop.boot.statistics.ErrorCode;
import dev.grpcloop.boot.statistics.ServerStatistics;
import dev.grpcloop.boot.test.v1.GreeterGrpc;
import dev.grpcloop.engine.EventLoopServer;
import dev.grpcloop.engine.EventLoopServerBuilder;
import dev.grpcloop.engine.telemetry.CloseReason;
import dev.grpcloop.engine.telemetry.ExecutorTelemetry;
import dev.grpcloop.engine.telemetry.Guard;
import dev.grpcloop.engine.telemetry.LoopTelemetry;
import dev.grpcloop.engine.telemetry.Refusal;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.FunctionTimer;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tag;
import io.micrometer.core.instrument.config.MeterFilter;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

import org.springframework.grpc.server.lifecycle.GrpcServerLifecycle;
import org.springframework.grpc.server.lifecycle.GrpcServerStartedEvent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mockito.Mockito.mock;

/**
 * Tests for {@link EngineMeters} and {@link ServerMeters}.
 */
class EngineMetersTests {

	private final SimpleMeterRegistry registry = new SimpleMeterRegistry();

	private final ServerStatistics statistics = new ServerStatistics();

	private static void count(ServerStatistics statistics) {
		LoopTelemetry loop = statistics.loop(0);
		times(8, loop::connectionOpened);
		loop.connectionClosed(CloseReason.IDLE);
		loop.connectionClosed(CloseReason.SERVER_ERROR);
		times(3, () -> loop.handshakeCompleted(TimeUnit.SECONDS.toNanos(2)));
		times(9, loop::streamOpened);
		times(5, loop::streamClosed);
		times(2, () -> loop.requestRefused(Refusal.METADATA_TOO_LARGE));
		loop.resetReceived(8);
		times(2, () -> loop.resetReceived(0x4711));
		times(3, () -> loop.resetSent(7));
		loop.resetSent(-1);
		loop.protocolFault(1, true);
		times(2, () -> loop.protocolFault(5, false));
		loop.guardTripped(Guard.MEMORY);
		loop.bytesReceived(11);
		loop.bytesSent(12);
		times(2, () -> loop.flushed(7, 6));
		times(4, loop::flowControlStalled);
		loop.flowControlResumed(TimeUnit.SECONDS.toNanos(3));
		loop.turned(TimeUnit.SECONDS.toNanos(1), TimeUnit.SECONDS.toNanos(4));
		loop.turned(TimeUnit.MILLISECONDS.toNanos(500), 0);
		statistics.loopBlocked(GreeterGrpc.getHelloMethod(), 1);
		ExecutorTelemetry executor = statistics.executor();
		times(6, executor::handedOver);
		executor.rejected();
		executor.begun(TimeUnit.SECONDS.toNanos(5));
		executor.begun(TimeUnit.SECONDS.toNanos(1));
	}

	private static void times(int times, Runnable event) {
		for (int i = 0; i < times; i++) {
			event.run();
		}
	}

	private static Map<String, Double> counted() {
		Map<String, Double> expected = new TreeMap<>();
		expected.put("connections.active", 6.0);
		expected.put("connections.opened", 8.0);
		expected.put("connections.closed[reason=idle]", 1.0);
		expected.put("connections.closed[reason=server-error]", 1.0);
		expected.put("connections.handshake", 3.0);
		expected.put("connections.handshake seconds", 6.0);
		expected.put("streams.active", 4.0);
		expected.put("streams.opened", 9.0);
		expected.put("streams.refused[reason=metadata-too-large]", 2.0);
		expected.put("streams.reset[direction=received, error=CANCEL]", 1.0);
		expected.put("streams.reset[direction=received, error=other]", 2.0);
		expected.put("streams.reset[direction=sent, error=REFUSED_STREAM]", 3.0);
		expected.put("streams.reset[direction=sent, error=other]", 1.0);
		expected.put("protocol.faults[error=PROTOCOL_ERROR, scope=connection]", 1.0);
		expected.put("protocol.faults[error=STREAM_CLOSED, scope=stream]", 2.0);
		expected.put("guard.trips[guard=memory]", 1.0);
		expected.put("bytes.received", 11.0);
		expected.put("bytes.sent", 12.0);
		expected.put("flushes", 2.0);
		expected.put("flushes.frames", 14.0);
		expected.put("flow.stalled", 3.0);
		expected.put("flow.stalls", 1.0);
		expected.put("flow.stalls seconds", 3.0);
		expected.put("loop.busy.time[loop=0]", 1.5);
		expected.put("loop.waited.time[loop=0]", 4.0);
		expected.put("loop.connections[loop=0]", 6.0);
		expected.put("loop.blocked[rpc.method=Hello, rpc.service=test.v1.Greeter]", 1.0);
		expected.put("executor.tasks", 6.0);
		expected.put("executor.rejected", 1.0);
		expected.put("executor.waiting", 3.0);
		expected.put("executor.wait", 2.0);
		expected.put("executor.wait seconds", 6.0);
		return expected;
	}

	/** Greatest values, of which there is no sum. */
	private static Map<String, Double> greatest() {
		return Map.of("loop.busy[loop=0]", 1.0, "loop.longest[loop=0]", 1.0, "executor.wait.longest", 5.0);
	}

	private static Map<String, Double> all() {
		Map<String, Double> all = counted();
		all.putAll(greatest());
		return all;
	}

	@Test
	void everyNumberIsInItsMeterAndInNoOther() {
		new EngineMeters(this.statistics).bindTo(this.registry);
		count(this.statistics);
		assertThat(series(this.registry)).isEqualTo(all());
	}

	@Test
	void everyErrorCodeIsCountedOnceWhetherItHasANameOrNot() {
		new EngineMeters(this.statistics).bindTo(this.registry);
		LoopTelemetry loop = this.statistics.loop(0);
		for (long code = 0; code <= ErrorCode.UNKNOWN.ordinal(); code++) {
			loop.protocolFault(code, true);
			loop.protocolFault(code, false);
			loop.resetReceived(code);
			loop.resetSent(code);
		}
		double all = ErrorCode.values().length;
		assertThat(sum("grpc.engine.protocol.faults", "scope", "connection")).isEqualTo(all);
		assertThat(sum("grpc.engine.protocol.faults", "scope", "stream")).isEqualTo(all);
		assertThat(sum("grpc.engine.streams.reset", "direction", "received")).isEqualTo(all);
		assertThat(sum("grpc.engine.streams.reset", "direction", "sent")).isEqualTo(all);
	}

	private double sum(String name, String tag, String value) {
		return this.registry.get(name)
			.tags(tag, value)
			.functionCounters()
			.stream()
			.mapToDouble(FunctionCounter::count)
			.sum();
	}

	@Test
	void whatWasCountedBeforeIsThereToo() {
		count(this.statistics);
		new EngineMeters(this.statistics).bindTo(this.registry);
		assertThat(series(this.registry)).isEqualTo(all());
	}

	@Test
	void twoContextsOnOneRegistryAreAddedUp() {
		ServerStatistics other = new ServerStatistics();
		new EngineMeters(this.statistics).bindTo(this.registry);
		new EngineMeters(other).bindTo(this.registry);
		count(this.statistics);
		count(other);
		Map<String, Double> sums = counted();
		sums.replaceAll((name, number) -> 2 * number);
		sums.putAll(greatest());
		assertThat(series(this.registry)).isEqualTo(sums);
	}

	@Test
	void aContextIsCountedOnceForEachRegistryHoweverOftenItIsBound() {
		SimpleMeterRegistry other = new SimpleMeterRegistry();
		EngineMeters meters = new EngineMeters(this.statistics);
		meters.bindTo(this.registry);
		meters.bindTo(other);
		meters.bindTo(this.registry);
		count(this.statistics);
		assertThat(series(this.registry)).isEqualTo(all());
		assertThat(series(other)).isEqualTo(all());
	}

	@Test
	void aContextThatHasEndedIsNotKeptButItsNumbersAre() {
		WeakReference<ServerStatistics> ended = bindAndForget();
		Awaitility.await().untilAsserted(() -> {
			System.gc();
			assertThat(ended.get()).isNull();
		});
		assertThat(series(this.registry)).isEqualTo(all());
	}

	private WeakReference<ServerStatistics> bindAndForget() {
		ServerStatistics statistics = new ServerStatistics();
		new EngineMeters(statistics).bindTo(this.registry);
		count(statistics);
		return new WeakReference<>(statistics);
	}

	@Test
	void aServerIsNotKept() {
		ServerMeters meters = new ServerMeters(null);
		meters.bindTo(this.registry);
		WeakReference<EventLoopServer> stopped = announce(meters);
		Awaitility.await().untilAsserted(() -> {
			System.gc();
			assertThat(stopped.get()).isNull();
		});
		assertThat(this.registry.get("grpc.engine.buffered.bytes").gauge().value()).isZero();
	}

	private static WeakReference<EventLoopServer> announce(ServerMeters meters) {
		EventLoopServer server = EventLoopServerBuilder.forPort(0).build();
		announce(meters, server);
		return new WeakReference<>(server);
	}

	private static void announce(ServerMeters meters, EventLoopServer server) {
		meters.onApplicationEvent(new GrpcServerStartedEvent(mock(GrpcServerLifecycle.class), server, "", 0));
	}

	@Test
	void aChildContextsServerIsThereBesideThatOfItsParentUntilItEnds() throws Exception {
		ServerMeters meters = new ServerMeters(null);
		meters.bindTo(this.registry);
		Gauge most = this.registry.get("grpc.engine.buffered.max").gauge();
		EventLoopServer parent = EventLoopServerBuilder.forPort(0).build();
		EventLoopServer child = EventLoopServerBuilder.forPort(0).build().start();
		announce(meters, parent);
		announce(meters, child);
		assertThat(most.value()).isPositive().isEqualTo(parent.getMaxBufferedBytes() + child.getMaxBufferedBytes());
		child.shutdownNow().awaitTermination();
		assertThat(most.value()).isEqualTo(parent.getMaxBufferedBytes());
	}

	@Test
	void whatIsDeniedIsNotThere() {
		this.registry.config().meterFilter(MeterFilter.denyNameStartsWith("grpc.engine"));
		new EngineMeters(this.statistics).bindTo(this.registry);
		new ServerMeters(() -> null).bindTo(this.registry);
		count(this.statistics);
		assertThat(this.registry.getMeters()).isEmpty();
	}

	/** All that is not zero, without the prefix of the names. */
	private static Map<String, Double> series(MeterRegistry registry) {
		Map<String, Double> series = new TreeMap<>();
		for (Meter meter : registry.getMeters()) {
			String tags = meter.getId().getTags().isEmpty() ? ""
					: meter.getId().getTags().stream().map(EngineMetersTests::text).toList().toString();
			String name = meter.getId().getName().replace("grpc.engine.", "") + tags;
			if (meter instanceof FunctionTimer timer) {
				series.put(name, timer.count());
				series.put(name + " seconds", timer.totalTime(TimeUnit.SECONDS));
			}
			else {
				series.put(name,
						(meter instanceof FunctionCounter counter) ? counter.count() : ((Gauge) meter).value());
			}
		}
		series.values().removeIf((number) -> number == 0);
		return series;
	}

	private static String text(Tag tag) {
		return tag.getKey() + "=" + tag.getValue();
	}

}
