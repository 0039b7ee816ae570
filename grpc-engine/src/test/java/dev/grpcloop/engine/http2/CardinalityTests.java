package dev.grpcloop.engine.http2;

import java.util.concurrent.TimeUnit;

import com.google.protobuf.ByteString;
import com.google.protobuf.BytesValue;
import dev.grpcloop.engine.http2.ServedCall.Behaviour;
import io.grpc.Metadata;
import io.grpc.ServerCall;
import io.grpc.Status;
import io.grpc.stub.ServerCalls;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Unary calls with more or fewer messages than one (case B22).
 */
class CardinalityTests {

	private static final int CANCEL = 8;

	private final ScriptedService service = new ScriptedService();

	/** How often the service's method was run. */
	private int run;

	private ScriptedPeer connected(boolean offLoop) {
		ScriptedPeer.Server server = ScriptedPeer.of(this.service);
		return (offLoop ? server.runsOffLoop() : server).connected();
	}

	/**
	 * As grpc-stub does it: the method runs when one message and the end have come.
	 */
	private Behaviour stub() {
		return new Behaviour() {

			private ServerCall.Listener<BytesValue> listener;

			@Override
			@SuppressWarnings("unchecked")
			public void started(ServedCall call) {
				ServerCall<BytesValue, BytesValue> typed = (ServerCall<BytesValue, BytesValue>) (ServerCall<?, ?>) call.call;
				this.listener = ServerCalls.<BytesValue, BytesValue>asyncUnaryCall((request, responses) -> {
					CardinalityTests.this.run++;
					responses.onNext(request);
					responses.onCompleted();
				}).startCall(typed, new Metadata());
			}

			@Override
			public void message(ServedCall call, byte[] message) {
				this.listener.onMessage(BytesValue.of(ByteString.copyFrom(message)));
			}

			@Override
			public void halfClosed(ServedCall call) {
				this.listener.onHalfClose();
			}

		};
	}

	/**
	 * Case B22 (a), (b) and (c).
	 */
	@ParameterizedTest
	@ValueSource(booleans = { false, true })
	void noRequestAndTwoRequestsAreInternal(boolean offLoop) {
		this.service.behaves((call) -> stub());
		try (ScriptedPeer peer = connected(offLoop)) {
			peer.lastHeaders(1, ScriptedPeer.request("/t.Echo/Unary"))
				.headers(3, ScriptedPeer.request("/t.Echo/Unary"))
				.lastData(3)
				.headers(5, ScriptedPeer.request("/t.Echo/Unary"))
				.lastData(5, RawHpack.concat(ScriptedPeer.ABC, ScriptedPeer.ABC))
				.play();
			for (int id : new int[] { 1, 3, 5 }) {
				assertThat(peer.stream(id).status()).isEqualTo(Status.Code.INTERNAL.value());
				assertThat(peer.stream(id).phase).isEqualTo(WireStream.Phase.ENDED);
			}
			assertThat(this.run).isZero();
			peer.servesACall(7);
			assertThat(this.run).isOne();
		}
	}

	/**
	 * Case B22 (d).
	 */
	@ParameterizedTest
	@ValueSource(booleans = { false, true })
	void aRequestThatDoesNotEndIsWaitedForUntilItsDeadline(boolean offLoop) {
		this.service.behaves((call) -> stub());
		try (ScriptedPeer peer = connected(offLoop)) {
			peer.headers(1, ScriptedPeer.request("/t.Echo/Unary", "grpc-timeout", "1H"))
				.data(1, ScriptedPeer.ABC)
				.play();
			peer.loop.advance(59, TimeUnit.MINUTES);
			assertThat(peer.settle().stream(1).isOver()).isFalse();
			assertThat(this.run).isZero();
			peer.loop.advance(2, TimeUnit.MINUTES);
			assertThat(peer.settle().stream(1).resetCode).isEqualTo(CANCEL);
			peer.servesACall(3);
		}
	}

	/**
	 * Case B22 (e) and (f): grpc-java's server resets the stream, and so does this one.
	 */
	@ParameterizedTest
	@ValueSource(booleans = { false, true })
	void noResponseAndTwoResponsesAreNoSuccess(boolean offLoop) {
		for (int responses : new int[] { 0, 2 }) {
			this.service.calls.clear();
			this.service.behaves((call) -> call.method().equals("t.Raw/Unary") ? new Behaviour() {

				@Override
				public void halfClosed(ServedCall answering) {
					for (int i = 0; i < responses; i++) {
						answering.send(new byte[1]);
					}
					answering.close(Status.OK);
				}

			} : Behaviour.ECHO);
			try (ScriptedPeer peer = connected(offLoop)) {
				peer.lastHeaders(1, ScriptedPeer.request("/t.Raw/Unary")).play();
				assertThat(peer.stream(1).resetCode).isEqualTo(CANCEL);
				assertThat(peer.stream(1).status()).isEqualTo(-1);
				assertThat(this.service.onlyCall().events).endsWith("cancel");
				peer.servesACall(3);
			}
		}
	}

	/**
	 * Case B24: an interceptor swallows the message and lets the half-close through.
	 */
	@Test
	void aMessageThatAnInterceptorSwallowsIsMissedByTheStub() {
		this.service.behaves(
				(call) -> call.method().equals("t.Echo/Unary") && this.service.calls.size() == 1 ? new Behaviour() {

					private final Behaviour next = stub();

					@Override
					public void started(ServedCall swallowing) {
						this.next.started(swallowing);
					}

					@Override
					public void halfClosed(ServedCall swallowing) {
						this.next.halfClosed(swallowing);
					}

				} : stub());
		try (ScriptedPeer peer = connected(false)) {
			peer.headers(1, ScriptedPeer.request("/t.Echo/Unary")).lastData(1, ScriptedPeer.ABC).play();
			assertThat(peer.stream(1).status()).isEqualTo(Status.Code.INTERNAL.value());
			assertThat(this.run).isZero();
			assertThat(peer.connection().inboundFlow().creditWithPending()).isEqualTo(1024 * 1024);
			peer.servesACall(3);
		}
	}

}
