package dev.grpcloop.engine.http2;

import java.util.List;

import dev.grpcloop.engine.http2.ServedCall.Behaviour;
import io.grpc.Metadata;
import io.grpc.Status;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * What the end of a call looks like on the wire (cases B17, B18).
 */
class ResponseShapeTests {

	private static final Metadata.Key<String> X_A = Metadata.Key.of("x-a", Metadata.ASCII_STRING_MARSHALLER);

	private static final Metadata.Key<byte[]> Y_BIN = Metadata.Key.of("y-bin", Metadata.BINARY_BYTE_MARSHALLER);

	private final ScriptedService service = new ScriptedService();

	private ScriptedPeer connected(boolean offLoop) {
		ScriptedPeer.Server server = ScriptedPeer.of(this.service);
		return (offLoop ? server.runsOffLoop() : server).connected();
	}

	private static Behaviour closing(boolean headersFirst, Status status, Metadata trailers) {
		return new Behaviour() {

			@Override
			public void halfClosed(ServedCall call) {
				if (headersFirst) {
					call.sendHeaders(new Metadata());
				}
				call.close(status, trailers);
			}

		};
	}

	static List<String> descriptions() {
		return List.of("50% off", "a\nb\tc", "\u00e9\u65e5\u672c", "\ud83d\ude00", "~", "%41", "\ud800", "a\udc00b", "",
				"\u00e9".repeat(2000), " leading", "trailing ", "  ", "\u0000\u007f");
	}

	/**
	 * Case B17.
	 */
	@ParameterizedTest
	@MethodSource("descriptions")
	void aDescriptionIsPrintableAsciiOnTheWire(String description) {
		this.service.behaves(closing(false, Status.INVALID_ARGUMENT.withDescription(description), new Metadata()));
		try (ScriptedPeer peer = connected(false)) {
			peer.lastHeaders(1, ScriptedPeer.request("/t.Raw/Unary")).play();
			assertThat(peer.stream(1).status()).isEqualTo(Status.Code.INVALID_ARGUMENT.value());
			String message = peer.stream(1).trailer("grpc-message");
			assertThat(message).matches("(?:[ -$&-~]|%[0-9A-F]{2})*+");
			assertThat(StatusText.decode(message))
				.isEqualTo(description.replace('\ud800', description.length() == 1 ? '\ufffd' : '\ud800')
					.replace("a\udc00b", "a\ufffdb"));
		}
	}

	/**
	 * Case B18 (a) and (d).
	 */
	@ParameterizedTest
	@ValueSource(booleans = { false, true })
	void anErrorBeforeAnyMessageIsOneFrame(boolean offLoop) {
		Metadata trailers = new Metadata();
		trailers.put(X_A, "1");
		trailers.put(Y_BIN, new byte[] { (byte) 0xab, (byte) 0xab });
		this.service.behaves(closing(false, Status.ABORTED, trailers));
		for (String contentType : new String[] { "application/grpc", "application/grpc+proto" }) {
			try (ScriptedPeer peer = connected(offLoop)) {
				String[] request = ScriptedPeer.request("/t.Echo/Bidi");
				request[11] = contentType;
				peer.lastHeaders(1, request).play();
				assertThat(frames(peer))
					.satisfiesExactly((frame) -> assertThat(frame).startsWith("HEADERS stream=1 flags=5"));
				assertThat(peer.stream(1).headers).containsExactly(":status", "200", "content-type", "application/grpc",
						"grpc-status", "10", "x-a", "1", "y-bin", "q6s");
			}
		}
	}

	/**
	 * Case B18 (b).
	 */
	@ParameterizedTest
	@ValueSource(booleans = { false, true })
	void aStreamWithoutMessagesEndsWithStatusZero(boolean offLoop) {
		this.service.behaves(Behaviour.ECHO);
		try (ScriptedPeer peer = connected(offLoop)) {
			peer.headers(1, ScriptedPeer.request("/t.Echo/Bidi")).play();
			peer.lastData(1).play();
			assertThat(frames(peer))
				.satisfiesExactly((frame) -> assertThat(frame).startsWith("HEADERS stream=1 flags=5"));
			assertThat(peer.stream(1).headers).containsExactly(":status", "200", "content-type", "application/grpc",
					"grpc-status", "0");
		}
	}

	/**
	 * Case B18 (c).
	 */
	@ParameterizedTest
	@ValueSource(booleans = { false, true })
	void headersAndAStatusAreTwoFrames(boolean offLoop) {
		this.service.behaves(closing(true, Status.ABORTED, new Metadata()));
		try (ScriptedPeer peer = connected(offLoop)) {
			peer.lastHeaders(1, ScriptedPeer.request("/t.Echo/Bidi")).play();
			assertThat(frames(peer)).satisfiesExactly(
					(frame) -> assertThat(frame).startsWith("HEADERS stream=1 flags=4"),
					(frame) -> assertThat(frame).startsWith("HEADERS stream=1 flags=5"));
			assertThat(peer.stream(1).header("grpc-status")).isNull();
			assertThat(peer.stream(1).trailers).containsExactly("grpc-status", "10");
		}
	}

	private static List<String> frames(ScriptedPeer peer) {
		return peer.oracle.frames().stream().filter((frame) -> frame.contains("stream=1 ")).toList();
	}

}
