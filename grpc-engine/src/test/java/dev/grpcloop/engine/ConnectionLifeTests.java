package dev.grpcloop.engine;

import java.lang.reflect.Field;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;

import com.google.protobuf.BytesValue;
import dev.grpcloop.engine.telemetry.Guard;
import dev.grpcloop.engine.testproto.EchoGrpc;
import io.grpc.ManagedChannel;
import io.grpc.Status;
import io.grpc.netty.NettyChannelBuilder;
import io.grpc.stub.StreamObserver;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * What becomes of the connections of grpc-java's client as time passes (gRPC A8 and A9).
 */
class ConnectionLifeTests {

	private static final int AGE_OUTS = 300;

	private static final int CLIENTS = 12;

	/**
	 * Case B40: the channel goes on with another connection.
	 */
	@Test
	void aClientThatPingsTooOftenIsToldSoAndComesBack() throws Exception {
		RecordingTelemetry telemetry = new RecordingTelemetry();
		try (TestServer server = TestServer.echo((builder) -> builder.telemetry(telemetry))) {
			ManagedChannel channel = server.newChannel((builder) -> keepsAlive(builder, 20));
			EchoGrpc.EchoBlockingStub stub = EchoGrpc.newBlockingStub(channel).withWaitForReady();
			stub.unary(Messages.text("a"));
			Eventually.until("the client is told", () -> telemetry.guards.contains(Guard.TOO_MANY_PINGS));
			assertThat(telemetry.guards).containsOnly(Guard.TOO_MANY_PINGS);
			Eventually.asserted(() -> assertThat(stub.withDeadlineAfter(10, TimeUnit.SECONDS).unary(Messages.text("b")))
				.isEqualTo(Messages.text("b")));
			assertThat(telemetry.connectionsOpened.get()).isGreaterThan(1);
		}
	}

	@Test
	void aClientThatPingsAsOftenAsItMayIsLeftAlone() throws Exception {
		RecordingTelemetry telemetry = new RecordingTelemetry();
		try (TestServer server = TestServer.echo((builder) -> builder.telemetry(telemetry)
			.permitKeepAliveTime(1, TimeUnit.MILLISECONDS)
			.permitKeepAliveWithoutCalls(true))) {
			ManagedChannel channel = server.newChannel((builder) -> keepsAlive(builder, 20));
			EchoGrpc.newBlockingStub(channel).unary(Messages.text("a"));
			long before = telemetry.bytesReceived.get();
			Eventually.until("a hundred pings have come", () -> telemetry.bytesReceived.get() - before > 100 * 17);
			assertThat(telemetry.guards).isEmpty();
			assertThat(telemetry.connectionsOpened.get()).isOne();
		}
	}

	@Test
	void aClientThatIsPingedAnswers() throws Exception {
		RecordingTelemetry telemetry = new RecordingTelemetry();
		try (TestServer server = TestServer.echo((builder) -> builder.telemetry(telemetry)
			.keepAliveTime(10, TimeUnit.MILLISECONDS)
			.keepAliveTimeout(10, TimeUnit.SECONDS))) {
			server.blocking().unary(Messages.text("a"));
			long before = telemetry.bytesReceived.get();
			Eventually.until("twenty pings are answered", () -> telemetry.bytesReceived.get() - before >= 20 * 17);
			assertThat(server.blocking().unary(Messages.text("b"))).isEqualTo(Messages.text("b"));
			assertThat(telemetry.guards).isEmpty();
			assertThat(telemetry.connectionsOpened.get()).isOne();
		}
	}

	@Test
	void connectionsThatBecomeOldLoseNoCall() throws Exception {
		RecordingTelemetry telemetry = new RecordingTelemetry();
		try (TestServer server = TestServer
			.echo((builder) -> builder.telemetry(telemetry).maxConnectionAge(200, TimeUnit.MILLISECONDS))) {
			UnaryLoad load = new UnaryLoad();
			for (int i = 0; i < CLIENTS; i++) {
				load.start(EchoGrpc.newStub(server.newChannel((builder) -> builder)));
			}
			Eventually.until("many connections have become old",
					() -> telemetry.connectionsClosed.get() >= AGE_OUTS || !load.failures.isEmpty());
			load.end();
			assertThat(load.failures).isEmpty();
			assertThat(load.calls.get()).isGreaterThan(AGE_OUTS);
			assertThat(telemetry.guards).isEmpty();
		}
	}

	@Test
	void endlessCallsEndWithTheGraceOfAnOldConnection() throws Exception {
		RecordingTelemetry telemetry = new RecordingTelemetry();
		try (TestServer server = TestServer.echo((builder) -> builder.telemetry(telemetry)
			.maxConnectionAge(50, TimeUnit.MILLISECONDS)
			.maxConnectionAgeGrace(50, TimeUnit.MILLISECONDS))) {
			RecordingObserver<BytesValue> responses = new RecordingObserver<>();
			server.async().bidi(responses);
			Eventually.until("the call has ended", () -> responses.status() != null);
			assertThat(responses.status().getCode()).isEqualTo(Status.Code.UNAVAILABLE);
			Eventually.until("nothing is left", telemetry::isBalanced);
		}
	}

	@Test
	void anIdleConnectionIsClosedAndTheChannelComesBack() throws Exception {
		RecordingTelemetry telemetry = new RecordingTelemetry();
		try (TestServer server = TestServer
			.echo((builder) -> builder.telemetry(telemetry).maxConnectionIdle(30, TimeUnit.MILLISECONDS))) {
			for (int i = 1; i <= 10; i++) {
				assertThat(server.blocking().unary(Messages.text("a"))).isEqualTo(Messages.text("a"));
				int closed = i;
				Eventually.until("closed", () -> telemetry.connectionsClosed.get() >= closed);
			}
			assertThat(telemetry.guards).isEmpty();
		}
	}

	/**
	 * The builder takes no keepalive below 10 s.
	 */
	private static NettyChannelBuilder keepsAlive(NettyChannelBuilder builder, int millis) {
		builder.keepAliveTime(1, TimeUnit.HOURS).keepAliveWithoutCalls(true);
		try {
			Field field = NettyChannelBuilder.class.getDeclaredField("keepAliveTimeNanos");
			field.setAccessible(true);
			field.setLong(builder, TimeUnit.MILLISECONDS.toNanos(millis));
		}
		catch (ReflectiveOperationException ex) {
			throw new IllegalStateException(ex);
		}
		return builder;
	}

	/**
	 * A call after the other on each of several clients.
	 */
	private static final class UnaryLoad {

		final AtomicInteger calls = new AtomicInteger();

		final List<Throwable> failures = new CopyOnWriteArrayList<>();

		private final AtomicInteger running = new AtomicInteger();

		private final AtomicBoolean ended = new AtomicBoolean();

		void start(EchoGrpc.EchoStub stub) {
			this.running.incrementAndGet();
			call(stub);
		}

		private void call(EchoGrpc.EchoStub stub) {
			BytesValue request = Messages.text("call " + this.calls.incrementAndGet());
			stub.unary(request, new StreamObserver<>() {

				private boolean answered;

				@Override
				public void onNext(BytesValue response) {
					this.answered = response.equals(request);
				}

				@Override
				public void onError(Throwable failure) {
					UnaryLoad.this.failures.add(failure);
					UnaryLoad.this.running.decrementAndGet();
				}

				@Override
				public void onCompleted() {
					if (!this.answered) {
						onError(new AssertionError("no answer, or a wrong one"));
					}
					else if (UnaryLoad.this.ended.get()) {
						UnaryLoad.this.running.decrementAndGet();
					}
					else {
						call(stub);
					}
				}

			});
		}

		void end() {
			this.ended.set(true);
			Eventually.until("the last calls have ended", () -> this.running.get() == 0);
		}

	}

}
