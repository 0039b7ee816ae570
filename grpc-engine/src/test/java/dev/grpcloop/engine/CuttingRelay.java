package dev.grpcloop.engine;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Random;
import java.util.function.IntSupplier;

/**
 * A relay between one client and a server that cuts what the client sends into writes of
 * any length.
 */
final class CuttingRelay implements AutoCloseable {

	private final ServerSocket listening = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());

	private final Random random = new Random(5);

	CuttingRelay(int serverPort) throws IOException {
		start(() -> {
			try (Socket client = this.listening.accept();
					Socket server = new Socket(InetAddress.getLoopbackAddress(), serverPort)) {
				server.setTcpNoDelay(true);
				start(() -> pump(server, client, () -> 65536));
				pump(client, server, () -> 1 + this.random.nextInt(17_000));
			}
			catch (IOException ex) {
				// the test ends
			}
		});
	}

	int port() {
		return this.listening.getLocalPort();
	}

	private static void start(Runnable task) {
		Thread thread = new Thread(task, "relay");
		thread.setDaemon(true);
		thread.start();
	}

	private static void pump(Socket from, Socket to, IntSupplier lengths) {
		byte[] buffer = new byte[65536];
		try {
			InputStream in = from.getInputStream();
			OutputStream out = to.getOutputStream();
			int read = in.read(buffer, 0, lengths.getAsInt());
			while (read >= 0) {
				out.write(buffer, 0, read);
				read = in.read(buffer, 0, lengths.getAsInt());
			}
			to.shutdownOutput();
		}
		catch (IOException ex) {
			// either side has gone
		}
	}

	@Override
	public void close() throws IOException {
		this.listening.close();
	}

}
