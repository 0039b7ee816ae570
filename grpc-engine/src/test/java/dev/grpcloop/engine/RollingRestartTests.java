package dev.grpcloop.engine;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;

import io.grpc.Grpc;
import io.grpc.ManagedChannel;
import io.grpc.Metadata;
import io.grpc.ServerCall;
import io.grpc.ServerCallHandler;
import io.grpc.ServerInterceptor;
import io.grpc.netty.NettyChannelBuilder;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Servers that go and come while stock clients call without a pause: no call fails.
 * {@code rolling.restarts} and {@code rolling.age-outs} make them more than in the build.
 */
class RollingRestartTests {

	private static final int RESTARTS = Integer.getInteger("rolling.restarts", 20);

	private static final int AGE_OUTS = Integer.getInteger("rolling.age-outs", 50);

	private static final int CLIENTS = 3;

	@EveryVariant
	void noCallFailsWhileServersAreRestartedOneAfterTheOther(Variant variant) throws Exception {
		Replica[] replicas = { new Replica(variant, 0), new Replica(variant, 0) };
		try (StaticAddresses addresses = new StaticAddresses(replicas[0].port(), replicas[1].port());
				SteadyLoad load = new SteadyLoad(CLIENTS, 1, (i) -> roundRobin(addresses))) {
			for (Replica replica : replicas) {
				replica.awaitClients(CLIENTS);
			}
			for (int i = 0; i < RESTARTS && !load.hasFailed(); i++) {
				int which = i % replicas.length;
				replicas[which].stop();
				replicas[which] = new Replica(variant, replicas[which].port());
				load.serverIsBack();
				replicas[which].awaitClients(CLIENTS);
			}
			load.goesOnFor(100);
			load.stop();
			load.assertNothingFailed();
		}
		for (Replica replica : replicas) {
			replica.stop();
			replica.assertNothingLeft();
		}
	}

	@EveryVariant
	void noCallFailsWhileConnectionsGrowOldAndAreReplaced(Variant variant) throws Exception {
		RecordingTelemetry telemetry = new RecordingTelemetry();
		try (TestServer server = TestServer.echo((builder) -> {
			variant.apply(builder);
			builder.telemetry(telemetry).maxConnectionAge(100, TimeUnit.MILLISECONDS);
		}); SteadyLoad load = new SteadyLoad(CLIENTS, 1, (i) -> server.newChannel((builder) -> builder))) {
			Eventually.until("so many connections were replaced",
					() -> telemetry.connectionsClosed.get() >= AGE_OUTS || load.hasFailed());
			load.goesOnFor(100);
			load.stop();
			load.assertNothingFailed();
			assertThat(telemetry.faults).isEmpty();
		}
		assertThat(telemetry.isBalanced()).isTrue();
	}

	private static ManagedChannel roundRobin(StaticAddresses addresses) {
		return NettyChannelBuilder.forTarget(addresses.target())
			.defaultLoadBalancingPolicy("round_robin")
			.usePlaintext()
			.build();
	}

	/**
	 * One of the servers, for one of its lives.
	 */
	private static final class Replica implements ServerInterceptor {

		private final RecordingTelemetry telemetry = new RecordingTelemetry();

		/** The connections that a call has come on. */
		private final Set<SocketAddress> clients = ConcurrentHashMap.newKeySet();

		private final EventLoopServer server;

		private final int port;

		Replica(Variant variant, int port) throws IOException {
			EventLoopServerBuilder builder = EventLoopServerBuilder
				.forAddress(new InetSocketAddress(InetAddress.getLoopbackAddress(), port))
				.workers(1)
				.telemetry(this.telemetry)
				.intercept(this)
				.addService(new EchoService());
			variant.apply(builder);
			this.server = builder.build().start();
			this.port = this.server.getPort();
		}

		int port() {
			return this.port;
		}

		/**
		 * Waits until so many clients know that this server is there: a client to whom it
		 * is still gone has no other when the next is stopped.
		 */
		void awaitClients(int count) {
			Eventually.until("the clients have come", () -> this.clients.size() >= count);
		}

		void stop() throws InterruptedException {
			this.server.shutdown();
			assertThat(this.server.awaitTermination(30, TimeUnit.SECONDS)).as("the server ends").isTrue();
		}

		void assertNothingLeft() {
			assertThat(this.telemetry.isBalanced()).isTrue();
			assertThat(this.telemetry.faults).isEmpty();
		}

		@Override
		public <Q, R> ServerCall.Listener<Q> interceptCall(ServerCall<Q, R> call, Metadata headers,
				ServerCallHandler<Q, R> next) {
			this.clients.add(call.getAttributes().get(Grpc.TRANSPORT_ATTR_REMOTE_ADDR));
			return next.startCall(call, headers);
		}

	}

}
