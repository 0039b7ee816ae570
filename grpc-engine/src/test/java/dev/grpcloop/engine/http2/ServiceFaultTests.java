package dev.grpcloop.engine.http2;

import java.io.InputStream;

import dev.grpcloop.engine.http2.ServedCall.Behaviour;
import io.grpc.Metadata;
import io.grpc.Status;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Service code that throws where the engine is in the middle of writing: the call ends,
 * with one status, and the connection goes on (case B21).
 */
class ServiceFaultTests {

	private static final int UNKNOWN = 2;

	private static final int ABORTED = 10;

	/** Metadata asks its marshaller only when it is written. */
	private static final Metadata.Key<String> THROWING = Metadata.Key.of("x-throws-bin",
			new Metadata.BinaryStreamMarshaller<>() {

				@Override
				public InputStream toStream(String value) {
					throw new IllegalStateException("secret: a metadata marshaller threw");
				}

				@Override
				public String parseStream(InputStream stream) {
					return "";
				}

			});

	private final ScriptedService service = new ScriptedService();

	private static Metadata throwing() {
		Metadata metadata = new Metadata();
		metadata.put(Metadata.Key.of("x-before", Metadata.ASCII_STRING_MARSHALLER), "a");
		metadata.put(THROWING, "value");
		return metadata;
	}

	private void endsWith(Behaviour behaviour, boolean offLoop, int status) {
		this.service.behaves(behaviour);
		ScriptedPeer.Server server = ScriptedPeer.of(this.service);
		try (ScriptedPeer peer = (offLoop ? server.runsOffLoop() : server).connected()) {
			peer.lastHeaders(1, ScriptedPeer.request("/t.Raw/Bidi")).play();
			assertThat(peer.stream(1).status()).isEqualTo(status);
			assertThat(peer.stream(1).isReset()).isFalse();
			assertThat(peer.stream(1).headers.toString() + peer.stream(1).trailers).doesNotContain("secret");
			assertThat(this.service.onlyCall().isEnded()).isEqualTo(this.service.onlyCall().hasListener);
			this.service.verify();
			this.service.behaves(Behaviour.ECHO);
			peer.servesACall(3);
		}
	}

	@ParameterizedTest
	@ValueSource(booleans = { false, true })
	void trailersThatCannotBeWrittenEndTheCallAllTheSame(boolean offLoop) {
		endsWith(new Behaviour() {

			@Override
			public void halfClosed(ServedCall call) {
				call.close(Status.OK, throwing());
			}

		}, offLoop, UNKNOWN);
	}

	@ParameterizedTest
	@ValueSource(booleans = { false, true })
	void aServiceMayCloseAgainWithTrailersThatCanBeWritten(boolean offLoop) {
		endsWith(new Behaviour() {

			@Override
			public void halfClosed(ServedCall call) {
				try {
					call.close(Status.OK, throwing());
				}
				catch (IllegalStateException ex) {
					call.close(Status.ABORTED);
				}
			}

		}, offLoop, ABORTED);
	}

	@ParameterizedTest
	@ValueSource(booleans = { false, true })
	void headersThatCannotBeWrittenEndTheCall(boolean offLoop) {
		endsWith(new Behaviour() {

			@Override
			public void halfClosed(ServedCall call) {
				call.sendHeaders(throwing());
			}

		}, offLoop, UNKNOWN);
	}

	@ParameterizedTest
	@ValueSource(booleans = { false, true })
	void aCallThatIsRefusedWithTrailersThatCannotBeWrittenKeepsItsStatus(boolean offLoop) {
		endsWith(new Behaviour() {

			@Override
			public void started(ServedCall call) {
				throw Status.ABORTED.asRuntimeException(throwing());
			}

		}, offLoop, ABORTED);
	}

	@ParameterizedTest
	@ValueSource(booleans = { false, true })
	void anErrorInACallbackEndsTheCall(boolean offLoop) {
		endsWith(new Behaviour() {

			@Override
			public void ready(ServedCall call) {
				throw new StackOverflowError("secret");
			}

		}, offLoop, UNKNOWN);
	}

	@ParameterizedTest
	@ValueSource(booleans = { false, true })
	void aServiceThatThrowsAtTheEndHarmsNobody(boolean offLoop) {
		endsWith(new Behaviour() {

			@Override
			public void halfClosed(ServedCall call) {
				call.close(Status.ABORTED);
			}

			@Override
			public void ended(ServedCall call) {
				throw new AssertionError("secret");
			}

		}, offLoop, ABORTED);
	}

}
