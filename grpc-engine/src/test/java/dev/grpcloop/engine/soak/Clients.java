package dev.grpcloop.engine.soak;

import java.io.IOException;
import java.net.InetAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;

import dev.grpcloop.engine.soak.CallRecord.Fate;
import io.grpc.ManagedChannel;
import io.grpc.netty.NettyChannelBuilder;

/**
 * Stock clients of the servers of a soak, some through relays that kill. One after the
 * other is replaced. One thread.
 */
final class Clients implements AutoCloseable {

	private static final int PATIENCE_SECONDS = 30;

	private final Servers servers;

	private final List<KillingRelay> relays = new ArrayList<>();

	private final List<Client> clients = new ArrayList<>();

	private final List<ManagedChannel> replaced = new ArrayList<>();

	Clients(Servers servers, long seed) throws IOException {
		this.servers = servers;
		for (boolean onLoop : new boolean[] { true, false }) {
			KillingRelay relay = new KillingRelay(servers.steadyPort(onLoop), seed);
			this.relays.add(relay);
			this.clients.add(new Client(relay.port(), Fate.BROKEN));
			this.clients.add(new Client(servers.steadyPort(onLoop), Fate.BROKEN));
			this.clients.add(new Client(servers.steadyPort(onLoop), Fate.CALM));
			this.clients.add(new Client(servers.steadyPort(onLoop), Fate.CALM));
			this.clients.add(new Client(servers.restartedPort(), Fate.RESTARTED));
		}
	}

	Client any(SplittableRandom random) {
		return this.clients.get(random.nextInt(this.clients.size()));
	}

	/**
	 * One client leaves, in good order if its calls need it, and another comes.
	 */
	void replaceAny(SplittableRandom random) {
		Client client = any(random);
		ManagedChannel old = client.channel;
		if (client.fate == Fate.BROKEN && random.nextBoolean()) {
			old.shutdownNow();
		}
		else {
			old.shutdown();
		}
		this.replaced.removeIf(ManagedChannel::isTerminated);
		this.replaced.add(old);
		client.connect();
	}

	/**
	 * None waits before it connects again.
	 */
	void connectNow() {
		this.clients.forEach((client) -> client.channel.resetConnectBackoff());
	}

	/**
	 * All clients leave in good order, and others are there for the next round.
	 */
	void replaceAll() throws InterruptedException {
		for (Client client : this.clients) {
			this.replaced.add(client.channel.shutdown());
			client.connect();
		}
		for (ManagedChannel channel : this.replaced) {
			if (!channel.awaitTermination(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
				throw new AssertionError("a client does not end: " + channel);
			}
		}
		this.replaced.clear();
	}

	/**
	 * All clients leave for good.
	 */
	void leave() {
		this.clients.forEach((client) -> client.channel.shutdownNow());
	}

	@Override
	public void close() throws IOException {
		leave();
		for (KillingRelay relay : this.relays) {
			relay.close();
		}
	}

	/**
	 * A place for a client, and the client that has it now.
	 */
	static final class Client {

		private final int port;

		private final Fate fate;

		private ManagedChannel channel;

		Client(int port, Fate fate) {
			this.port = port;
			this.fate = fate;
			this.channel = newChannel();
		}

		private void connect() {
			this.channel = newChannel();
		}

		private ManagedChannel newChannel() {
			return NettyChannelBuilder.forAddress(InetAddress.getLoopbackAddress().getHostAddress(), this.port)
				.usePlaintext()
				.directExecutor()
				.build();
		}

		ManagedChannel channel() {
			return this.channel;
		}

		Fate fate() {
			return this.fate;
		}

	}

}
