package dev.grpcloop.engine;

import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;

import dev.grpcloop.engine.telemetry.Guard;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Peers that have taken the port for another (case B42).
 */
class ForeignProtocolTests {

	/** On all backends together. */
	private static final int TRIES = 10_000;

	/** What peers say first. Two of them leave before it is clear what they speak. */
	private static final List<byte[]> KINDS = List.of(ascii(""), ascii("GET / HTTP/1.1\r\nHost: a\r\n\r\n"), ascii(
			"GET / HTTP/1.1\r\nConnection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: AAMAAABk\r\n\r\n"),
			ascii("GET / HTTP/1.0\r\n\r\n"), ascii("PRI * HTTP/2.0\r\n\r\nSM\r\r\r\n"), ascii("PRI"),
			new byte[] { 0x16, 3, 1, 2, 0, 1, 0, 1, (byte) 0xfc, 3, 3, 0, 0 }, ascii("\r\n\r\n"), ascii("\0\0\0\0"),
			ascii("SSH-2.0-OpenSSH_9.6\r\n"));

	// the log manager holds loggers weakly
	private final Logger logger = Logger.getLogger("dev.grpcloop.engine.http2");

	@ParameterizedTest
	@MethodSource("dev.grpcloop.engine.Variant#backends")
	void tenThousandOfThemLeaveNothingBehind(Backend backend) throws Exception {
		RecordingTelemetry telemetry = new RecordingTelemetry();
		try (EngineLog log = new EngineLog();
				TestServer server = TestServer.echo((builder) -> builder.backend(backend).telemetry(telemetry))) {
			int tries = TRIES / KINDS.size() / (int) Variant.backends().count();
			for (int i = 0; i < tries; i++) {
				for (byte[] kind : KINDS) {
					try (Socket socket = connect(server)) {
						socket.getOutputStream().write(kind);
					}
				}
			}
			Eventually.until("all are closed", () -> telemetry.connectionsOpened.get() == tries * KINDS.size()
					&& telemetry.connectionsClosed.get() == telemetry.connectionsOpened.get());
			assertThat(telemetry.guards).hasSize(8 * tries).containsOnly(Guard.FOREIGN_PROTOCOL);
			assertThat(telemetry.faults).isEmpty();
			assertThat(log.records()).as("at the levels that are on by default").isEmpty();
			assertThat(server.blocking().unary(Messages.text("alive"))).isEqualTo(Messages.text("alive"));
		}
		EngineThreads.assertNoneLeft();
	}

	@ParameterizedTest
	@MethodSource("dev.grpcloop.engine.Variant#backends")
	void eachIsOneShortLineAtDebug(Backend backend) throws Exception {
		RecordingTelemetry telemetry = new RecordingTelemetry();
		Level before = this.logger.getLevel();
		this.logger.setLevel(Level.FINE);
		try (EngineLog log = new EngineLog();
				TestServer server = TestServer.echo((builder) -> builder.backend(backend).telemetry(telemetry))) {
			int closed = 0;
			for (byte[] kind : KINDS) {
				try (Socket socket = connect(server)) {
					socket.getOutputStream().write(kind);
				}
				int next = ++closed;
				Eventually.until("closed", () -> telemetry.connectionsClosed.get() == next);
			}
			assertThat(log.messages()).hasSize(8).allSatisfy((line) -> assertThat(line).hasSizeLessThan(250));
			assertThat(log.messages().get(0)).contains("\"GET / HTTP/1.1\\x0d\\x0aHost: a");
			assertThat(log.messages().get(4)).contains("\"\\x16\\x03\\x01\\x02\\x00");
			assertThat(log.messages()).noneMatch((line) -> line.contains("\n") || line.contains("\r"));
			assertThat(log.records()).extracting(LogRecord::getThrown).containsOnlyNulls();
			assertThat(log.records()).extracting(LogRecord::getLevel).containsOnly(Level.FINE);
		}
		finally {
			this.logger.setLevel(before);
		}
	}

	@ParameterizedTest
	@MethodSource("dev.grpcloop.engine.Variant#backends")
	void http1IsToldSoHoweverMuchItSends(Backend backend) throws Exception {
		try (TestServer server = TestServer.echo((builder) -> builder.backend(backend))) {
			for (int i = 0; i < 20; i++) {
				try (Socket socket = connect(server)) {
					socket.getOutputStream()
						.write(ascii(
								"POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 100000\r\n\r\n" + "a".repeat(100_000)));
					String answer = new String(socket.getInputStream().readAllBytes(), StandardCharsets.US_ASCII);
					assertThat(answer).startsWith("HTTP/1.1 400 ").contains("gRPC over HTTP/2");
				}
			}
		}
	}

	@ParameterizedTest
	@MethodSource("dev.grpcloop.engine.Variant#backends")
	void aConnectionThatIsResetIsOneLineAtDebugAndNoStackTrace(Backend backend) throws Exception {
		RecordingTelemetry telemetry = new RecordingTelemetry();
		Level before = this.logger.getLevel();
		this.logger.setLevel(Level.FINE);
		try (EngineLog log = new EngineLog();
				TestServer server = TestServer.echo((builder) -> builder.backend(backend).telemetry(telemetry))) {
			try (Socket socket = connect(server)) {
				socket.getOutputStream().write(ascii("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n\0\0\0\4\0\0\0\0\0"));
				assertThat(socket.getInputStream().read()).isZero();
				socket.setSoLinger(true, 0);
			}
			Eventually.until("closed", () -> telemetry.connectionsClosed.get() == 1);
			assertThat(log.messages()).hasSizeLessThanOrEqualTo(1);
			assertThat(log.records()).extracting(LogRecord::getThrown).allMatch((thrown) -> thrown == null);
			assertThat(log.records()).extracting(LogRecord::getLevel).allMatch(Level.FINE::equals);
		}
		finally {
			this.logger.setLevel(before);
		}
	}

	private static Socket connect(TestServer server) throws IOException {
		return new Socket(InetAddress.getLoopbackAddress(), server.server().getPort());
	}

	private static byte[] ascii(String text) {
		return text.getBytes(StandardCharsets.ISO_8859_1);
	}

}
