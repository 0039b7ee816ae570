package dev.grpcloop.boot.metrics;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

import dev.grpcloop.boot.NonBlocking;
import dev.grpcloop.boot.test.v1.HelloRequest;
import dev.grpcloop.boot.test.v1.HelloResponse;
import dev.grpcloop.boot.testsupport.GreeterClient;
import dev.grpcloop.boot.testsupport.GreeterService;
import dev.grpcloop.boot.testsupport.RawPeer;
import dev.grpcloop.boot.testsupport.StartedServer;
import dev.grpcloop.boot.testsupport.TestApplications;
import io.grpc.stub.StreamObserver;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.FunctionTimer;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;

import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.boot.micrometer.metrics.autoconfigure.CompositeMeterRegistryAutoConfiguration;
import org.springframework.boot.micrometer.metrics.autoconfigure.MetricsAutoConfiguration;
import org.springframework.boot.micrometer.metrics.autoconfigure.export.simple.SimpleMetricsExportAutoConfiguration;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.grpc.server.service.GrpcService;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The meters of the engine in an application, against traffic that is known.
 */
@Timeout(60)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class EngineMetricsTests {

	private static final int PREFACE_AND_SETTINGS = 24 + 9 + 9;

	private ConfigurableApplicationContext context;

	private MeterRegistry registry;

	private HeldService service;

	@BeforeAll
	void start() {
		this.context = TestApplications.run(Measured.class, "grpc.server.executor.mode=platform",
				"grpc.server.executor.max-threads=2", "grpc.server.executor.queue-capacity=1");
		this.registry = this.context.getBean(MeterRegistry.class);
		this.service = this.context.getBean(HeldService.class);
	}

	@AfterAll
	void stop() {
		this.context.close();
	}

	private RawPeer peer() throws IOException {
		return new RawPeer(StartedServer.of(this.context).getPort());
	}

	@Test
	void connectionsAreCountedFromTheirBeginningToTheirEnd() throws Exception {
		double opened = count("connections.opened");
		double closed = count("connections.closed", "reason", "peer");
		double handshakes = timer("connections.handshake").count();
		for (int connection = 1; connection <= 3; connection++) {
			try (RawPeer peer = peer()) {
				peer.begin().await(RawPeer.SETTINGS, RawPeer.ACK);
				peer.send(RawPeer.PING, 0, 0, new byte[8]).await(RawPeer.PING, RawPeer.ACK);
				assertThat(gauge("connections.active")).isEqualTo(1);
				assertThat(gauge("loop.connections", "loop", "0")).isEqualTo(1);
				assertThat(count("connections.opened") - opened).isEqualTo(connection);
			}
			Awaitility.await().untilAsserted(() -> assertThat(gauge("connections.active")).isZero());
			assertThat(count("connections.closed", "reason", "peer") - closed).isEqualTo(connection);
		}
		assertThat(timer("connections.handshake").count() - handshakes).isEqualTo(3);
	}

	@Test
	void bytesAreThoseOfTheWireAndAFaultHasItsName() throws Exception {
		double received = count("bytes.received");
		double sent = count("bytes.sent");
		double closed = count("connections.closed", "reason", "protocol-error");
		double faults = count("protocol.faults", "error", "PROTOCOL_ERROR", "scope", "connection");
		int read = 0;
		try (RawPeer peer = peer()) {
			peer.begin().call(1, "Hello");
			peer.send(RawPeer.DATA, RawPeer.END_STREAM, 1, new byte[5]);
			// no frame of data belongs to the connection
			for (RawPeer.Frame frame = peer.read(); frame != null; frame = peer.read()) {
				read += 9 + frame.payload().length;
				if (frame.type() == RawPeer.HEADERS && (frame.flags() & RawPeer.END_STREAM) != 0) {
					peer.send(RawPeer.DATA, 0, 0, new byte[1]);
				}
			}
		}
		Awaitility.await()
			.untilAsserted(
					() -> assertThat(count("connections.closed", "reason", "protocol-error") - closed).isEqualTo(1));
		assertThat(count("protocol.faults", "error", "PROTOCOL_ERROR", "scope", "connection") - faults).isEqualTo(1);
		assertThat(count("bytes.received") - received)
			.isEqualTo(PREFACE_AND_SETTINGS + 9 + RawPeer.headers("Hello").length + 9 + 5 + 9 + 1);
		assertThat(count("bytes.sent") - sent).isEqualTo(read);
		assertThat(count("flushes")).isPositive().isLessThanOrEqualTo(count("flushes.frames"));
	}

	@Test
	void streamsAreCountedByTheirEnds() throws Exception {
		double opened = count("streams.opened");
		try (RawPeer peer = peer()) {
			peer.begin();
			peer.call(1, "Chat").call(3, "Chat");
			Awaitility.await().untilAsserted(() -> assertThat(gauge("streams.active")).isEqualTo(2));
			peer.send(RawPeer.RST_STREAM, 0, 1, (byte) 0, (byte) 0, (byte) 0, (byte) 8);
			peer.send(RawPeer.RST_STREAM, 0, 3, (byte) 0x47, (byte) 0, (byte) 0, (byte) 0);
			String json = new String(RawPeer.headers("Hello"), StandardCharsets.ISO_8859_1).replace("application/grpc",
					"application/json");
			peer.send(RawPeer.HEADERS, RawPeer.END_HEADERS | RawPeer.END_STREAM, 5,
					json.getBytes(StandardCharsets.ISO_8859_1));
			Awaitility.await()
				.untilAsserted(() -> assertThat(count("streams.refused", "reason", "not-grpc")).isEqualTo(1));
			Awaitility.await().untilAsserted(() -> assertThat(gauge("streams.active")).isZero());
		}
		assertThat(count("streams.opened") - opened).isEqualTo(3);
		assertThat(count("streams.reset", "direction", "received", "error", "CANCEL")).isEqualTo(1);
		assertThat(count("streams.reset", "direction", "received", "error", "other")).isEqualTo(1);
	}

	@Test
	void workThatWaitsForAThreadIsSeenAndWhatFindsNoPlaceToo() throws Exception {
		double rejected = count("executor.rejected");
		CountDownLatch gate = this.service.close();
		try (GreeterClient client = GreeterClient.of(this.context)) {
			List<CompletableFuture<String>> calls = Stream.of("one", "two").map(client::helloLater).toList();
			Awaitility.await().untilAsserted(() -> assertThat(gauge("executor.pool.active")).isEqualTo(2));
			Awaitility.await().untilAsserted(() -> assertThat(gauge("executor.waiting")).isZero());
			CompletableFuture<String> third = client.helloLater("three");
			Awaitility.await().untilAsserted(() -> assertThat(gauge("executor.queue.size")).isEqualTo(1));
			assertThat(gauge("executor.waiting")).isEqualTo(1);
			assertThat(gauge("executor.pool.size")).isEqualTo(2);
			assertThat(gauge("executor.pool.max")).isEqualTo(2);
			assertThat(gauge("executor.queue.capacity")).isEqualTo(1);
			assertThat(client.helloLater("four")).failsWithin(20, TimeUnit.SECONDS);
			assertThat(count("executor.rejected") - rejected).isEqualTo(1);
			gate.countDown();
			assertThat(third).succeedsWithin(20, TimeUnit.SECONDS);
			assertThat(calls).allSatisfy((call) -> assertThat(call).succeedsWithin(20, TimeUnit.SECONDS));
			assertThat(gauge("executor.waiting")).isZero();
			assertThat(timer("executor.wait").count()).isEqualTo(count("executor.tasks") - count("executor.rejected"));
			assertThat(gauge("executor.wait.longest")).isPositive();
		}
		finally {
			gate.countDown();
		}
	}

	@Test
	void aScrapeAsksNothingOfALoopThatIsHeld() throws Exception {
		double blocked = blocked();
		CountDownLatch gate = this.service.close();
		try (GreeterClient client = GreeterClient.of(this.context)) {
			CompletableFuture<List<String>> call = CompletableFuture.supplyAsync(() -> client.repeat("held"));
			Awaitility.await().untilAsserted(() -> assertThat(blocked()).isEqualTo(blocked + 1));
			double waiting = gauge("loop.tasks", "loop", "0");
			for (Meter meter : this.registry.getMeters()) {
				meter.measure().forEach((measurement) -> measurement.getValue());
			}
			assertThat(gauge("loop.tasks", "loop", "0")).isEqualTo(waiting);
			gate.countDown();
			assertThat(call).succeedsWithin(20, TimeUnit.SECONDS);
		}
		finally {
			gate.countDown();
		}
		Awaitility.await()
			.untilAsserted(() -> assertThat(gauge("loop.longest", "loop", "0")).isGreaterThanOrEqualTo(0.1));
		assertThat(gauge("loop.busy", "loop", "0")).isPositive().isLessThanOrEqualTo(1);
		assertThat(count("loop.busy.time", "loop", "0")).isGreaterThanOrEqualTo(0.1);
	}

	private double blocked() {
		return this.registry.find("grpc.engine.loop.blocked")
			.functionCounters()
			.stream()
			.mapToDouble(FunctionCounter::count)
			.sum();
	}

	@Test
	void theAllocatorIsMeasured() throws Exception {
		try (GreeterClient client = GreeterClient.of(this.context)) {
			assertThat(client.hello("Ada")).isEqualTo("Hello Ada");
		}
		assertThat(this.registry.get("netty.allocator.memory.used").tag("memory.type", "direct").gauge().value())
			.isPositive();
		Gauge used = this.registry.find("grpc.engine.direct.used").gauge();
		if (used != null) {
			assertThat(used.value()).isBetween(0.0, gauge("direct.max"));
		}
	}

	@Test
	void allOfTheEngineCanBeDenied() throws Exception {
		try (ConfigurableApplicationContext denied = TestApplications.run(Measured.class,
				"management.metrics.enable.grpc.engine=false"); GreeterClient client = GreeterClient.of(denied)) {
			client.hello("Ada");
			MeterRegistry registry = denied.getBean(MeterRegistry.class);
			Awaitility.await().untilAsserted(() -> assertThat(registry.find("grpc.server").timer()).isNotNull());
			assertThat(registry.getMeters()).extracting((meter) -> meter.getId().getName())
				.noneMatch((name) -> name.startsWith("grpc.engine"));
		}
	}

	private double count(String name, String... tags) {
		return this.registry.get("grpc.engine." + name).tags(tags).functionCounter().count();
	}

	private double gauge(String name, String... tags) {
		return this.registry.get("grpc.engine." + name).tags(tags).gauge().value();
	}

	private FunctionTimer timer(String name) {
		return this.registry.get("grpc.engine." + name).functionTimer();
	}

	@Configuration(proxyBeanMethods = false)
	@Import(HeldService.class)
	@ImportAutoConfiguration({ MetricsAutoConfiguration.class, CompositeMeterRegistryAutoConfiguration.class,
			SimpleMetricsExportAutoConfiguration.class })
	static class Measured {

	}

	/**
	 * Answers two methods when the gate is open: one on the threads of the pool, the
	 * other on the event loop.
	 */
	@GrpcService
	static class HeldService extends GreeterService {

		private volatile CountDownLatch gate = new CountDownLatch(0);

		CountDownLatch close() {
			this.gate = new CountDownLatch(1);
			return this.gate;
		}

		@Override
		public void hello(HelloRequest request, StreamObserver<HelloResponse> responses) {
			answer(request, responses);
		}

		@Override
		@NonBlocking
		public void repeat(HelloRequest request, StreamObserver<HelloResponse> responses) {
			answer(request, responses);
		}

		private void answer(HelloRequest request, StreamObserver<HelloResponse> responses) {
			try {
				this.gate.await();
			}
			catch (InterruptedException ex) {
				Thread.currentThread().interrupt();
			}
			responses.onNext(greeting(request.getName()));
			responses.onCompleted();
		}

	}

}
