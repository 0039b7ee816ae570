package dev.grpcloop.engine.soak;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.ConcurrentHashMap;

/**
 * A relay in front of a server, whose connections break after some bytes, in good order
 * or not.
 */
final class KillingRelay implements AutoCloseable {

	private static final int MOST_BYTES_LOG2 = 22;

	private final ServerSocket listening = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());

	private final Set<Socket> open = ConcurrentHashMap.newKeySet();

	private final SplittableRandom random;

	private final int serverPort;

	KillingRelay(int serverPort, long seed) throws IOException {
		this.serverPort = serverPort;
		this.random = new SplittableRandom(seed);
		start(this::accept);
	}

	int port() {
		return this.listening.getLocalPort();
	}

	private static void start(Runnable task) {
		Thread thread = new Thread(task, "soak-relay");
		thread.setDaemon(true);
		thread.start();
	}

	private void accept() {
		while (!this.listening.isClosed()) {
			try {
				Socket client = this.listening.accept();
				this.open.add(client);
				Socket server = new Socket(InetAddress.getLoopbackAddress(), this.serverPort);
				this.open.add(server);
				client.setTcpNoDelay(true);
				server.setTcpNoDelay(true);
				Link link = new Link(client, server, this.random.nextBoolean(), budget(), budget());
				start(() -> link.pump(client, server, link.clientBudget));
				start(() -> link.pump(server, client, link.serverBudget));
			}
			catch (IOException ex) {
				// the soak ends, or the server has no time
			}
		}
	}

	/**
	 * Small numbers are as likely as big ones.
	 */
	private long budget() {
		return 1 + (this.random.nextLong() >>> 1) % (1L << this.random.nextInt(4, MOST_BYTES_LOG2));
	}

	@Override
	public void close() throws IOException {
		this.listening.close();
		for (Socket socket : this.open) {
			socket.close();
		}
	}

	private final class Link {

		private final Socket client;

		private final Socket server;

		private final boolean reset;

		private final long clientBudget;

		private final long serverBudget;

		Link(Socket client, Socket server, boolean reset, long clientBudget, long serverBudget) {
			this.client = client;
			this.server = server;
			this.reset = reset;
			this.clientBudget = clientBudget;
			this.serverBudget = serverBudget;
		}

		void pump(Socket from, Socket to, long budget) {
			byte[] buffer = new byte[65536];
			long left = budget;
			try {
				InputStream in = from.getInputStream();
				OutputStream out = to.getOutputStream();
				int read = in.read(buffer, 0, (int) Math.min(buffer.length, left));
				while (read > 0) {
					out.write(buffer, 0, read);
					left -= read;
					read = in.read(buffer, 0, (int) Math.min(buffer.length, left));
				}
				if (read < 0) {
					to.shutdownOutput();
					return;
				}
			}
			catch (IOException ex) {
				// either side has gone
			}
			kill(this.client);
			kill(this.server);
		}

		private void kill(Socket socket) {
			try {
				if (this.reset) {
					socket.setSoLinger(true, 0);
				}
				socket.close();
			}
			catch (IOException ex) {
				// it is closed already
			}
			KillingRelay.this.open.remove(socket);
		}

	}

}
