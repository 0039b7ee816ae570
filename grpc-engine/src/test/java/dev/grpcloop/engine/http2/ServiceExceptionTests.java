package dev.grpcloop.engine.http2;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import java.util.stream.Stream;

import dev.grpcloop.engine.http2.ServedCall.Behaviour;
import io.grpc.Context;
import io.grpc.Metadata;
import io.grpc.Status;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;

/**
 * What the application throws, as the wire shows it (case B21).
 */
class ServiceExceptionTests {

	private static final Metadata.Key<String> WHY = Metadata.Key.of("x-why", Metadata.ASCII_STRING_MARSHALLER);

	private static final int UNKNOWN = 2;

	private static final int ABORTED = 10;

	private final ScriptedService service = new ScriptedService();

	private final List<Context> contexts = new ArrayList<>();

	enum Place {

		START, READY, MESSAGE, HALF_CLOSE, COMPLETE, CANCEL

	}

	static Stream<Arguments> exceptions() {
		Map<String, Supplier<Throwable>> what = Map.of("exception", () -> new IllegalStateException("secret"), "error",
				() -> new AssertionError("secret"), "overflow", StackOverflowError::new, "status", () -> {
					Metadata trailers = new Metadata();
					trailers.put(WHY, "because");
					return Status.ABORTED.withDescription("for the client").asRuntimeException(trailers);
				});
		return Stream.of(Place.values())
			.flatMap((place) -> what.entrySet()
				.stream()
				.flatMap((entry) -> Stream.of(false, true)
					.map((offLoop) -> arguments(place, entry.getKey(), offLoop, entry.getValue()))));
	}

	/**
	 * Case B21 (a) to (c).
	 */
	@ParameterizedTest(name = "{0}, {1}, off loop: {2}")
	@MethodSource("exceptions")
	void endsItsCallAndNothingElse(Place place, String name, boolean offLoop, Supplier<Throwable> what) {
		this.service.behaves((call) -> call.method().equals("t.Raw/Bidi") ? new Throwing(place, what) : Behaviour.ECHO);
		try (ScriptedPeer peer = connected(offLoop)) {
			peer.headers(1, ScriptedPeer.request("/t.Raw/Bidi")).data(1, ScriptedPeer.message(new byte[3]));
			if (place == Place.CANCEL) {
				peer.play().reset(1, 8).play();
			}
			else {
				peer.lastData(1).play();
				verifyAnswer(peer.stream(1), place, name);
			}
			ServedCall call = this.service.onlyCall();
			assertThat(this.contexts.get(0).isCancelled()).as("the context ends").isTrue();
			assertThat(call.events.stream().filter((event) -> event.equals("complete") || event.equals("cancel")))
				.hasSize((place == Place.START) ? 0 : 1);
			assertThat(peer.oracle.goAways()).isEmpty();
			peer.servesACall(3);
		}
		this.service.verify();
	}

	private static void verifyAnswer(WireStream stream, Place place, String name) {
		assertThat(stream.isReset() && !stream.resetAfterEnd).as("a status, and no reset").isFalse();
		assertThat(stream.headers.toString() + stream.trailers).doesNotContain("secret").doesNotContain("Exception");
		if (place == Place.COMPLETE) {
			assertThat(stream.status()).isZero();
		}
		else if (place == Place.START && name.equals("status")) {
			assertThat(stream.status()).isEqualTo(ABORTED);
			assertThat(stream.trailer("grpc-message")).isEqualTo("for the client");
			assertThat(stream.trailer("x-why")).isEqualTo("because");
		}
		else {
			assertThat(stream.status()).isEqualTo(UNKNOWN);
			assertThat(stream.trailer("x-why")).isNull();
			assertThat(stream.headers.toString() + stream.trailers).doesNotContain("for the client");
		}
	}

	/**
	 * Case B21: the request marshaller and the response marshaller.
	 */
	@ParameterizedTest
	@ValueSource(booleans = { false, true })
	void ofAMarshallerIsUnknown(boolean offLoop) {
		this.service.behaves(new Behaviour() {

			@Override
			public void started(ServedCall call) {
				call.request(1);
			}

			@Override
			public void message(ServedCall call, byte[] message) {
				call.send(ScriptedService.poison());
			}

			@Override
			public void halfClosed(ServedCall call) {
				call.close(Status.OK);
			}

		});
		try (ScriptedPeer peer = connected(offLoop)) {
			peer.headers(1, ScriptedPeer.request("/t.Raw/Unary"))
				.lastData(1, ScriptedPeer.message(ScriptedService.poison()))
				.play();
			peer.headers(3, ScriptedPeer.request("/t.Raw/Unary")).lastData(3, ScriptedPeer.message(new byte[1])).play();
			for (int id : new int[] { 1, 3 }) {
				assertThat(peer.stream(id).status()).isEqualTo(UNKNOWN);
				assertThat(peer.stream(id).isReset()).isFalse();
				assertThat(peer.stream(id).headers.toString() + peer.stream(id).trailers).doesNotContain("secret");
			}
			assertThat(this.service.call(0).received).isEmpty();
			this.service.behaves(Behaviour.ECHO);
			peer.servesACall(5);
		}
	}

	/**
	 * Case B21 (d).
	 */
	@ParameterizedTest
	@ValueSource(booleans = { false, true })
	void thatTheServiceClosesWithKeepsCodeAndTrailers(boolean offLoop) {
		Metadata trailers = new Metadata();
		trailers.put(WHY, "because");
		this.service.behaves((call) -> call.method().equals("t.Raw/Unary") ? new Behaviour() {

			@Override
			public void halfClosed(ServedCall closing) {
				closing.close(Status.ABORTED, trailers);
			}

		} : Behaviour.ECHO);
		try (ScriptedPeer peer = connected(offLoop)) {
			peer.lastHeaders(1, ScriptedPeer.request("/t.Raw/Unary")).play();
			assertThat(peer.stream(1).status()).isEqualTo(ABORTED);
			assertThat(peer.stream(1).trailer("x-why")).isEqualTo("because");
			peer.servesACall(3);
		}
	}

	/**
	 * Case B21 (e).
	 */
	@ParameterizedTest
	@ValueSource(booleans = { false, true })
	void ofProtobufIsInternal(boolean offLoop) {
		try (ScriptedPeer peer = connected(offLoop)) {
			peer.headers(1, ScriptedPeer.request("/t.Echo/Unary"))
				.lastData(1, new byte[] { 0, 0, 0, 0, 2, (byte) 0xff, (byte) 0xff })
				.play();
			assertThat(peer.stream(1).status()).isEqualTo(Status.Code.INTERNAL.value());
			assertThat(peer.stream(1).isReset()).isFalse();
			assertThat(this.service.onlyCall().received).isEmpty();
			assertThat(this.service.onlyCall().events).endsWith("cancel").doesNotContain("halfClose");
			peer.servesACall(3);
		}
	}

	/**
	 * Case B21 (f).
	 */
	@Test
	void afterTheCloseIsForTheLogOnly() {
		for (boolean offLoop : new boolean[] { false, true }) {
			this.service.calls.clear();
			this.service.behaves((call) -> call.method().equals("t.Raw/Bidi") ? new Behaviour() {

				@Override
				public void halfClosed(ServedCall closing) {
					closing.close(Status.OK);
					throw new IllegalStateException("secret");
				}

			} : Behaviour.ECHO);
			try (ScriptedPeer peer = connected(offLoop)) {
				peer.lastHeaders(1, ScriptedPeer.request("/t.Raw/Bidi")).play();
				assertThat(peer.stream(1).status()).isZero();
				assertThat(this.service.onlyCall().events).endsWith("complete");
				peer.servesACall(3);
			}
		}
	}

	private ScriptedPeer connected(boolean offLoop) {
		ScriptedPeer.Server server = ScriptedPeer.of(this.service);
		return (offLoop ? server.runsOffLoop() : server).connected();
	}

	@SuppressWarnings("unchecked")
	private static <T extends Throwable> void sneak(Throwable throwable) throws T {
		throw (T) throwable;
	}

	/**
	 * Answers as an echo does, and throws at one place.
	 */
	private final class Throwing implements Behaviour {

		private final Place place;

		private final Supplier<Throwable> what;

		Throwing(Place place, Supplier<Throwable> what) {
			this.place = place;
			this.what = what;
		}

		private void at(Place place) {
			if (this.place == place) {
				ServiceExceptionTests.<RuntimeException>sneak(this.what.get());
			}
		}

		@Override
		public void started(ServedCall call) {
			ServiceExceptionTests.this.contexts.add(Context.current());
			call.request(1);
			at(Place.START);
		}

		@Override
		public void ready(ServedCall call) {
			at(Place.READY);
		}

		@Override
		public void message(ServedCall call, byte[] message) {
			at(Place.MESSAGE);
			call.send(message);
		}

		@Override
		public void halfClosed(ServedCall call) {
			at(Place.HALF_CLOSE);
			call.close(Status.OK);
		}

		@Override
		public void ended(ServedCall call) {
			at(call.completed ? Place.COMPLETE : Place.CANCEL);
		}

	}

}
