package dev.grpcloop.engine.http2;

import java.util.List;

import dev.grpcloop.engine.http2.ServedCall.Behaviour;
import io.grpc.Metadata;
import io.grpc.Status;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * A client that limits the header lists of responses (case B20).
 */
class ResponseHeaderLimitTests {

	private static final int MAX_HEADER_LIST_SIZE = 0x6;

	private static final int LIMIT = 4096;

	private static final Metadata.Key<String> WHY = Metadata.Key.of("x-why", Metadata.ASCII_STRING_MARSHALLER);

	private final ScriptedService service = new ScriptedService();

	/**
	 * Case B20.
	 */
	@ParameterizedTest
	@ValueSource(booleans = { false, true })
	void aLongDescriptionIsCutAndCostsNothingElse(boolean offLoop) {
		String description = "at org.example.\u65e5\u672c.Frame(Frame.java:17) ".repeat(500);
		this.service.behaves((call) -> call.method().equals("t.Raw/Unary") ? failing(description, new Metadata(), false)
				: Behaviour.ECHO);
		ScriptedPeer.Server server = ScriptedPeer.of(this.service);
		try (ScriptedPeer peer = (offLoop ? server.runsOffLoop() : server).connected(MAX_HEADER_LIST_SIZE, LIMIT)) {
			peer.headers(1, ScriptedPeer.request("/t.Echo/Bidi")).data(1, ScriptedPeer.ABC).play();
			peer.lastHeaders(3, ScriptedPeer.request("/t.Raw/Unary")).play();
			assertThat(peer.stream(3).trailersOnly).isTrue();
			assertThat(peer.stream(3).status()).isEqualTo(Status.Code.ABORTED.value());
			assertThat(size(peer.stream(3).headers)).isBetween(LIMIT - 20, LIMIT);
			String cut = StatusText.decode(peer.stream(3).trailer("grpc-message"));
			assertThat(description).startsWith(cut);
			assertThat(this.service.call(1).events).endsWith("complete");
			assertThat(peer.stream(3).isReset()).isFalse();
			peer.data(1, ScriptedPeer.ABC).lastData(1).play();
			assertThat(peer.stream(1).status()).as("the other stream").isZero();
			assertThat(peer.stream(1).messages()).hasSize(2);
			peer.servesACall(5);
		}
		this.service.verify();
	}

	/**
	 * Case B20.
	 */
	@Test
	void withoutTheSettingAllGoesOutInContinuations() {
		String description = "x".repeat(20_000);
		this.service.behaves(failing(description, new Metadata(), false));
		try (ScriptedPeer peer = ScriptedPeer.of(this.service).connected()) {
			peer.lastHeaders(1, ScriptedPeer.request("/t.Raw/Unary")).play();
			assertThat(peer.stream(1).trailer("grpc-message")).isEqualTo(description);
			assertThat(peer.oracle.frames().stream().filter((frame) -> frame.contains("stream=1 "))).satisfiesExactly(
					(frame) -> assertThat(frame).startsWith("HEADERS").contains("flags=1 length=16384"),
					(frame) -> assertThat(frame).startsWith("CONTINUATION").contains("flags=4 "));
		}
	}

	/**
	 * Case B20: every limit gives a header list that fits, as soon as the status alone
	 * does.
	 */
	@Test
	void everyCutFitsAndFallsBetweenCharacters() {
		String description = "a \u00e9 \u65e5%\ud83d\ude00 ~ z";
		this.service.behaves(failing(description, new Metadata(), true));
		int status = "grpc-status".length() + 2 + 32;
		int longest = 0;
		try (ScriptedPeer peer = ScriptedPeer.of(this.service).connected()) {
			for (int more = 0; more < 120; more++) {
				int id = 1 + 2 * more;
				peer.settings(MAX_HEADER_LIST_SIZE, 300)
					.lastHeaders(id, ScriptedPeer.request("/t.Raw/Bidi"))
					.settings(MAX_HEADER_LIST_SIZE, status + more)
					.play();
				ServedCall call = this.service.calls.get(more);
				peer.loop.enter(() -> call.close(Status.ABORTED.withDescription(description)));
				peer.settle();
				WireStream stream = peer.stream(id);
				assertThat(stream.status()).isEqualTo(Status.Code.ABORTED.value());
				assertThat(size(stream.trailers)).isLessThanOrEqualTo(status + more);
				String message = stream.trailer("grpc-message");
				String cut = (message != null) ? StatusText.decode(message) : "";
				assertThat(description).startsWith(cut);
				assertThat(cut.length()).isGreaterThanOrEqualTo(longest);
				longest = cut.length();
			}
		}
		assertThat(longest).isEqualTo(description.length());
	}

	/**
	 * Case B20.
	 */
	@Test
	void trailersThatDoNotFitAreLeftOutAndTheDescriptionStays() {
		Metadata trailers = new Metadata();
		trailers.put(WHY, "y".repeat(5000));
		this.service.behaves(failing("the reason", trailers, true));
		try (ScriptedPeer peer = ScriptedPeer.of(this.service).connected(MAX_HEADER_LIST_SIZE, LIMIT)) {
			peer.lastHeaders(1, ScriptedPeer.request("/t.Raw/Bidi")).play();
			ServedCall call = this.service.onlyCall();
			peer.loop.enter(() -> call.close(Status.ABORTED.withDescription("the reason"), trailers));
			peer.settle();
			assertThat(peer.stream(1).trailers).containsExactly("grpc-status", "10", "grpc-message", "the reason");
			assertThat(call.events).endsWith("complete");
		}
	}

	/**
	 * Case B20.
	 */
	@Test
	void theDescriptionIsCutBeforeTrailersAreLeftOut() {
		Metadata trailers = new Metadata();
		trailers.put(WHY, "y".repeat(3000));
		this.service.behaves(failing("d".repeat(3000), trailers, false));
		try (ScriptedPeer peer = ScriptedPeer.of(this.service).connected(MAX_HEADER_LIST_SIZE, LIMIT)) {
			peer.lastHeaders(1, ScriptedPeer.request("/t.Raw/Unary")).play();
			assertThat(peer.stream(1).trailer("x-why")).hasSize(3000);
			assertThat(peer.stream(1).trailer("grpc-message")).matches("d{500,}");
			assertThat(size(peer.stream(1).headers)).isBetween(LIMIT - 1, LIMIT);
		}
	}

	/**
	 * Case B20: what a response means is in its headers, so the call ends.
	 */
	@ParameterizedTest
	@ValueSource(booleans = { false, true })
	void responseHeadersThatDoNotFitEndTheCall(boolean offLoop) {
		this.service.behaves((call) -> call.method().equals("t.Raw/Bidi") ? new Behaviour() {

			@Override
			public void started(ServedCall started) {
				Metadata headers = new Metadata();
				headers.put(WHY, "y".repeat(5000));
				started.sendHeaders(headers);
				started.send(new byte[10]);
				started.close(Status.OK);
			}

		} : Behaviour.ECHO);
		ScriptedPeer.Server server = ScriptedPeer.of(this.service);
		try (ScriptedPeer peer = (offLoop ? server.runsOffLoop() : server).connected(MAX_HEADER_LIST_SIZE, LIMIT)) {
			peer.lastHeaders(1, ScriptedPeer.request("/t.Raw/Bidi")).play();
			assertThat(peer.stream(1).status()).isEqualTo(Status.Code.RESOURCE_EXHAUSTED.value());
			assertThat(peer.stream(1).trailer("grpc-message")).contains("4096");
			assertThat(this.service.onlyCall().cancelled).isTrue();
			assertThat(peer.stream(1).body.size()).isZero();
			peer.servesACall(3);
		}
	}

	private static int size(List<String> fields) {
		int size = 0;
		for (int i = 0; i < fields.size(); i += 2) {
			size += fields.get(i).length() + fields.get(i + 1).length() + 32;
		}
		return size;
	}

	private static Behaviour failing(String description, Metadata trailers, boolean onlyHeaders) {
		return new Behaviour() {

			@Override
			public void halfClosed(ServedCall call) {
				if (onlyHeaders) {
					call.sendHeaders(new Metadata());
				}
				else {
					call.close(Status.ABORTED.withDescription(description), trailers);
				}
			}

		};
	}

}
