package dev.grpcloop.engine;

import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.stream.Stream;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * However a client leaves, the server's end of the connection is closed too (case B44).
 * {@code connection-end.count} makes it more than the few hundred connections of the
 * build.
 */
class ConnectionEndTests {

	private static final int COUNT = Integer.getInteger("connection-end.count", 200);

	private static final byte[] PREFACE = "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".getBytes(StandardCharsets.US_ASCII);

	private static final byte[] SETTINGS = { 0, 0, 0, 4, 0, 0, 0, 0, 0 };

	private static final byte[] PING = { 0, 0, 8, 6, 0, 0, 0, 0, 0, 1, 2, 3, 4, 5, 6, 7, 8 };

	private static final byte[] PONG = { 0, 0, 8, 6, 1, 0, 0, 0, 0 };

	private static final byte[] GOAWAY = { 0, 0, 8, 7, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0 };

	@ParameterizedTest
	@MethodSource
	void everyConnectionThatItsClientLeavesIsClosed(Backend backend, Beginning beginning, Departure departure)
			throws Exception {
		RecordingTelemetry telemetry = new RecordingTelemetry();
		try (TestServer server = TestServer.echo((builder) -> builder.backend(backend).telemetry(telemetry))) {
			for (int i = 0; i < COUNT; i++) {
				try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), server.server().getPort())) {
					socket.setTcpNoDelay(true);
					beginning.play(socket);
					departure.play(socket);
				}
			}
			// one that was reset while it waited to be accepted may never be one
			Eventually.until("all connections are closed",
					() -> telemetry.connectionsClosed.get() == telemetry.connectionsOpened.get()
							&& (departure == Departure.RESET || telemetry.connectionsOpened.get() == COUNT));
			assertThat(server.blocking().unary(Messages.text("alive"))).isEqualTo(Messages.text("alive"));
			assertThat(telemetry.faults).isEmpty();
		}
	}

	static Stream<Arguments> everyConnectionThatItsClientLeavesIsClosed() {
		return Variant.backends()
			.flatMap((backend) -> Stream.of(Beginning.values())
				.flatMap((beginning) -> Stream.of(Departure.values())
					.map((departure) -> Arguments.of(backend, beginning, departure))));
	}

	/**
	 * What a client has done before it leaves.
	 */
	enum Beginning {

		/** Connected, no more. */
		SILENT {

			@Override
			void play(Socket socket) {
			}

		},

		/** Sent something that is not HTTP/2. */
		WRONG {

			@Override
			void play(Socket socket) throws IOException {
				socket.getOutputStream().write("GET / HTTP/1.1\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
			}

		},

		/** Sent a part of a frame. */
		PARTIAL {

			@Override
			void play(Socket socket) throws IOException {
				socket.getOutputStream().write(PREFACE);
				socket.getOutputStream().write(SETTINGS, 0, 5);
			}

		},

		/** Has answers that it has not read. */
		ANSWERED {

			@Override
			void play(Socket socket) throws IOException {
				socket.getOutputStream().write(PREFACE);
				socket.getOutputStream().write(SETTINGS);
				socket.getOutputStream().write(PING);
				// its first byte shows that the rest waits to be read
				assertThat(socket.getInputStream().read()).isZero();
			}

		},

		/**
		 * Has read its answers, and says something that needs none just before it leaves.
		 */
		LAST_WORDS {

			@Override
			void play(Socket socket) throws IOException {
				socket.getOutputStream().write(PREFACE);
				socket.getOutputStream().write(SETTINGS);
				socket.getOutputStream().write(PING);
				byte[] answers = new byte[PING.length];
				while (!Arrays.equals(answers, 0, 9, PONG, 0, 9)) {
					System.arraycopy(answers, 1, answers, 0, answers.length - 1);
					answers[answers.length - 1] = (byte) socket.getInputStream().read();
				}
				socket.getOutputStream().write(GOAWAY);
			}

		};

		abstract void play(Socket socket) throws IOException;

	}

	/**
	 * How a client leaves. What it has not read turns its end into a reset.
	 */
	enum Departure {

		/** Ends both directions in good order. */
		CLOSE {

			@Override
			void play(Socket socket) throws IOException {
				socket.close();
			}

		},

		/** Breaks the connection. */
		RESET {

			@Override
			void play(Socket socket) throws IOException {
				socket.setSoLinger(true, 0);
				socket.close();
			}

		},

		/** Ends what it sends, and waits for the server to do the same. */
		HALF_CLOSE {

			@Override
			void play(Socket socket) throws IOException {
				socket.shutdownOutput();
				socket.setSoTimeout(30_000);
				try {
					socket.getInputStream().readAllBytes();
				}
				catch (IOException ex) {
					// the server may leave bytes unread that it does not understand
					assertThat(ex).hasMessageContaining("reset");
				}
			}

		};

		abstract void play(Socket socket) throws IOException;

	}

}
