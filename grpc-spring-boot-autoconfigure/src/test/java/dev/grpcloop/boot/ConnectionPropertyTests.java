package dev.grpcloop.boot;

import java.io.IOException;
import java.util.Arrays;
import java.util.Locale;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

import dev.grpcloop.boot.test.v1.GreeterGrpc;
import dev.grpcloop.boot.test.v1.HelloRequest;
import dev.grpcloop.boot.test.v1.HelloResponse;
import dev.grpcloop.boot.testsupport.GreeterClient;
import dev.grpcloop.boot.testsupport.GreeterService;
import dev.grpcloop.boot.testsupport.Measured;
import dev.grpcloop.boot.testsupport.RawPeer;
import dev.grpcloop.boot.testsupport.TestApplications;
import dev.grpcloop.engine.telemetry.Guard;
import io.grpc.Status;
import io.grpc.stub.StreamObserver;
import io.micrometer.core.instrument.MeterRegistry;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * What the properties of connections change for a client. A {@link RawPeer} waits for
 * less than the defaults.
 */
@Timeout(60)
class ConnectionPropertyTests {

	@Test
	void aClientThatDoesNotBeginIsClosed() throws IOException {
		try (ConfigurableApplicationContext context = run("handshake-timeout=50ms");
				RawPeer peer = new RawPeer(port(context))) {
			peer.awaitEnd();
			assertThat(trips(context, Guard.HANDSHAKE_TIMEOUT)).isEqualTo(1);
		}
	}

	@Test
	void aHeaderBlockThatIsNotCompletedEndsItsConnection() throws IOException {
		try (ConfigurableApplicationContext context = run("inbound.headers-timeout=50ms");
				RawPeer peer = new RawPeer(port(context)).begin()) {
			peer.send(RawPeer.HEADERS, 0, 1, RawPeer.headers("Hello"));
			peer.awaitEnd();
			assertThat(trips(context, Guard.HEADERS_TIMEOUT)).isEqualTo(1);
		}
	}

	@Test
	void aSilentClientIsPinged() throws IOException {
		try (ConfigurableApplicationContext context = run("keepalive.time=50ms");
				RawPeer peer = new RawPeer(port(context)).begin()) {
			peer.await(RawPeer.PING, 0);
			// which the peer has answered
			peer.await(RawPeer.PING, 0);
			assertThat(trips(context, Guard.KEEPALIVE_TIMEOUT)).isZero();
		}
	}

	@Test
	void aClientThatDoesNotAnswerThePingIsClosed() throws Exception {
		try (ConfigurableApplicationContext context = run("keepalive.time=50ms", "keepalive.timeout=50ms");
				RawPeer peer = new RawPeer(port(context)).begin()) {
			Awaitility.await().untilAsserted(() -> assertThat(trips(context, Guard.KEEPALIVE_TIMEOUT)).isEqualTo(1));
			peer.awaitEnd();
		}
	}

	@Test
	void aClientMayPingAsOftenAsItIsPermitted() throws IOException {
		try (ConfigurableApplicationContext context = run("keepalive.permit.time=0",
				"keepalive.permit.without-calls=true"); RawPeer peer = new RawPeer(port(context)).begin()) {
			ping(peer);
			peer.send(RawPeer.PING, 0, 0, new byte[8]).await(RawPeer.PING, RawPeer.ACK);
			assertThat(peer.goAway()).isNull();
		}
	}

	@ParameterizedTest
	@ValueSource(strings = { "keepalive.permit.time=1h", "keepalive.permit.without-calls=false" })
	void aClientThatPingsMoreOftenIsToldSo(String property) throws IOException {
		try (ConfigurableApplicationContext context = run("keepalive.permit.time=0",
				"keepalive.permit.without-calls=true", property); RawPeer peer = new RawPeer(port(context)).begin()) {
			ping(peer);
			peer.awaitEnd();
			assertThat(peer.goAway()).isEqualTo("too_many_pings");
			assertThat(trips(context, Guard.TOO_MANY_PINGS)).isEqualTo(1);
		}
	}

	private static void ping(RawPeer peer) throws IOException {
		for (int i = 0; i < 10; i++) {
			peer.send(RawPeer.PING, 0, 0, new byte[8]);
		}
	}

	@ParameterizedTest
	@ValueSource(strings = { "keepalive.connection.max-idle-time=50ms", "keepalive.connection.max-age=50ms" })
	void aConnectionThatIsIdleOrOldIsToldToGo(String property) throws IOException {
		try (ConfigurableApplicationContext context = run(property);
				RawPeer peer = new RawPeer(port(context)).begin()) {
			peer.awaitEnd();
			assertThat(peer.goAway()).isNotNull();
		}
	}

	@ParameterizedTest
	@ValueSource(strings = { "0", "50ms" })
	void theCallsOfAnOldConnectionEndWithItsGracePeriod(String grace) throws Exception {
		try (ConfigurableApplicationContext context = run("keepalive.connection.max-age=50ms",
				"keepalive.connection.grace-period=" + grace); GreeterClient client = GreeterClient.of(context)) {
			CompletableFuture<Throwable> end = new CompletableFuture<>();
			GreeterGrpc.newStub(client.channel()).chat(new Ending(end)).onNext(GreeterService.request("Ada"));
			assertThat(Status.fromThrowable(end.get(15, TimeUnit.SECONDS)).getCode()).isIn(Status.Code.UNAVAILABLE,
					Status.Code.CANCELLED);
		}
	}

	@Test
	void aClientThatDoesNotReadItsSocketIsClosed() throws IOException {
		try (ConfigurableApplicationContext context = TestApplications.run(Flood.class,
				"grpc.server.flow-control.stall-timeout=50ms");
				RawPeer peer = new RawPeer(port(context)).begin(4, Integer.MAX_VALUE)) {
			peer.send(RawPeer.WINDOW_UPDATE, 0, 0, new byte[] { 0x7f, (byte) 0xff, 0, 0 });
			peer.call(1, "Repeat").send(RawPeer.DATA, RawPeer.END_STREAM, 1, new byte[5]);
			Awaitility.await().untilAsserted(() -> assertThat(trips(context, Guard.WRITE_STALL)).isEqualTo(1));
		}
	}

	@Test
	void theWindowIsAnnounced() throws IOException {
		try (ConfigurableApplicationContext context = run("flow-control.window=100000");
				RawPeer peer = new RawPeer(port(context)).begin()) {
			assertThat(peer.await(RawPeer.SETTINGS, 0).payload()).containsSequence(0, 4, 0, 1, 0x86, 0xa0);
		}
	}

	@Test
	void aCallThatHoldsTooMuchOfTheServersMemoryEnds() throws Exception {
		try (ConfigurableApplicationContext context = run("flow-control.max-buffered=1MB");
				GreeterClient client = GreeterClient.of(context)) {
			assertThat(client.hello("a".repeat(100_000))).hasSize(100_006);
			assertThat(code(client.helloLater("a".repeat(4_000_000)))).isEqualTo(Status.Code.RESOURCE_EXHAUSTED);
			assertThat(trips(context, Guard.MEMORY)).isPositive();
			assertThat(client.hello("Ada")).isEqualTo("Hello Ada");
		}
	}

	@Test
	void aCallWhoseResponsesNobodyReadsEnds() throws Exception {
		try (ConfigurableApplicationContext context = TestApplications.run(Flood.class,
				"grpc.server.flow-control.max-buffered-per-call=64KB");
				RawPeer peer = new RawPeer(port(context)).begin()) {
			peer.call(1, "Repeat").send(RawPeer.DATA, RawPeer.END_STREAM, 1, new byte[5]);
			// response headers, as much as the window lets through, and then trailers
			peer.await(RawPeer.HEADERS, RawPeer.END_HEADERS);
			peer.await(RawPeer.HEADERS, RawPeer.END_HEADERS | RawPeer.END_STREAM);
		}
	}

	private static Status.Code code(CompletableFuture<String> answer) throws Exception {
		return answer.handle((value, ex) -> (ex != null) ? Status.fromThrowable(ex).getCode() : Status.Code.OK)
			.get(15, TimeUnit.SECONDS);
	}

	private static ConfigurableApplicationContext run(String... properties) {
		String[] full = Arrays.stream(properties).map((property) -> "grpc.server." + property).toArray(String[]::new);
		return TestApplications.run(Greeter.class, full);
	}

	private static int port(ConfigurableApplicationContext context) {
		return context.getEnvironment().getRequiredProperty("local.grpc.server.port", Integer.class);
	}

	private static double trips(ConfigurableApplicationContext context, Guard guard) {
		return context.getBean(MeterRegistry.class)
			.get("grpc.engine.guard.trips")
			.tag("guard", guard.name().toLowerCase(Locale.ROOT).replace('_', '-'))
			.functionCounter()
			.count();
	}

	@Configuration(proxyBeanMethods = false)
	@Import({ Measured.class, GreeterService.class })
	static class Greeter {

	}

	/** Sends 32 MB whether anybody reads them or not. */
	@Import(Measured.class)
	static class Flood extends GreeterGrpc.GreeterImplBase {

		private static final HelloResponse MEGABYTE = GreeterService.greeting("a".repeat(1024 * 1024));

		@Override
		public void repeat(HelloRequest request, StreamObserver<HelloResponse> responses) {
			try {
				for (int i = 0; i < 32; i++) {
					responses.onNext(MEGABYTE);
				}
				responses.onCompleted();
			}
			catch (RuntimeException ex) {
				// the call has ended
			}
		}

	}

	private record Ending(CompletableFuture<Throwable> end) implements StreamObserver<HelloResponse> {

		@Override
		public void onNext(HelloResponse response) {
			// of no interest
		}

		@Override
		public void onError(Throwable ex) {
			this.end.complete(ex);
		}

		@Override
		public void onCompleted() {
			this.end.completeExceptionally(new AssertionError("nobody has ended the call"));
		}

	}

}
