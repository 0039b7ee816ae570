package dev.grpcloop.engine;

import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.IntStream;

import com.google.protobuf.BytesValue;
import io.grpc.CallOptions;
import io.grpc.MethodDescriptor;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.stub.ClientCalls;
import io.grpc.stub.StreamObserver;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import dev.grpcloop.engine.testproto.EchoGrpc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

class CallKindTests {

	private static final BytesValue EMPTY = BytesValue.getDefaultInstance();

	@EveryVariant
	void aUnaryCallIsAnswered(Variant variant) throws Exception {
		try (TestServer server = TestServer.echo(variant::apply)) {
			assertThat(server.blocking().unary(Messages.text("hello"))).isEqualTo(Messages.text("hello"));
			assertThat(server.blocking().unary(Messages.text("again"))).isEqualTo(Messages.text("again"));
		}
	}

	@EveryVariant
	void aClientStreamIsAnsweredWhenItEnds(Variant variant) throws Exception {
		try (TestServer server = TestServer.echo(variant::apply)) {
			RecordingObserver<BytesValue> responses = new RecordingObserver<>();
			StreamObserver<BytesValue> requests = server.async().clientStream(responses);
			for (int i = 0; i < 100; i++) {
				requests.onNext(Messages.text(i + " "));
			}
			requests.onCompleted();
			String expected = IntStream.range(0, 100).mapToObj((i) -> i + " ").reduce("", String::concat);
			assertThat(responses.all()).containsExactly(Messages.text(expected));
		}
	}

	@EveryVariant
	void aServerStreamArrivesInOrder(Variant variant) throws Exception {
		try (TestServer server = TestServer.echo(variant::apply)) {
			String text = "0123456789".repeat(50);
			Iterator<BytesValue> responses = server.blocking().serverStream(Messages.text(text));
			StringBuilder received = new StringBuilder();
			responses.forEachRemaining((response) -> received.append(Messages.text(response)));
			assertThat(received).hasToString(text);
		}
	}

	@EveryVariant
	void aBidirectionalStreamAnswersEachMessageBeforeTheNextIsSent(Variant variant) throws Exception {
		try (TestServer server = TestServer.echo(variant::apply)) {
			RecordingObserver<BytesValue> responses = new RecordingObserver<>();
			StreamObserver<BytesValue> requests = server.async().bidi(responses);
			for (int i = 0; i < 100; i++) {
				requests.onNext(Messages.number(i));
				assertThat(responses.next()).isEqualTo(Messages.number(i));
			}
			requests.onCompleted();
			assertThat(responses.all()).isEmpty();
		}
	}

	@EveryVariant
	void messagesMayBeEmpty(Variant variant) throws Exception {
		try (TestServer server = TestServer.echo(variant::apply)) {
			assertThat(server.blocking().unary(EMPTY)).isEqualTo(EMPTY);
			RecordingObserver<BytesValue> responses = new RecordingObserver<>();
			StreamObserver<BytesValue> requests = server.async().bidi(responses);
			requests.onNext(EMPTY);
			requests.onNext(EMPTY);
			requests.onNext(Messages.text("full"));
			requests.onNext(EMPTY);
			requests.onCompleted();
			assertThat(responses.all()).containsExactly(EMPTY, EMPTY, Messages.text("full"), EMPTY);
		}
	}

	@EveryVariant
	void streamsMayHaveNoMessage(Variant variant) throws Exception {
		try (TestServer server = TestServer.echo(variant::apply)) {
			assertThat(server.blocking().serverStream(EMPTY)).toIterable().isEmpty();
			RecordingObserver<BytesValue> one = new RecordingObserver<>();
			server.async().clientStream(one).onCompleted();
			assertThat(one.all()).containsExactly(EMPTY);
			RecordingObserver<BytesValue> none = new RecordingObserver<>();
			server.async().bidi(none).onCompleted();
			assertThat(none.all()).isEmpty();
		}
	}

	@EveryVariant
	void aHundredStreamsRunAtOnceOnOneConnection(Variant variant) throws Exception {
		try (TestServer server = TestServer.echo(variant::apply)) {
			List<RecordingObserver<BytesValue>> responses = new ArrayList<>();
			List<StreamObserver<BytesValue>> requests = new ArrayList<>();
			for (int i = 0; i < 100; i++) {
				RecordingObserver<BytesValue> observer = new RecordingObserver<>();
				responses.add(observer);
				requests.add(server.async().bidi(observer));
			}
			for (int round = 0; round < 3; round++) {
				for (int i = 0; i < 100; i++) {
					requests.get(i).onNext(Messages.number(1000 * round + i));
				}
				for (int i = 0; i < 100; i++) {
					assertThat(responses.get(i).next()).isEqualTo(Messages.number(1000 * round + i));
				}
			}
			requests.forEach(StreamObserver::onCompleted);
			for (RecordingObserver<BytesValue> observer : responses) {
				assertThat(observer.all()).isEmpty();
			}
		}
	}

	@EveryVariant
	void callsBeyondTheLimitOfAConnectionWaitForTheirTurn(Variant variant) throws Exception {
		RecordingTelemetry telemetry = new RecordingTelemetry();
		try (TestServer server = TestServer.echo((builder) -> {
			variant.apply(builder);
			builder.maxConcurrentCallsPerConnection(3).telemetry(telemetry);
		})) {
			List<RecordingObserver<BytesValue>> responses = new ArrayList<>();
			// the client decides whose turn it is, so each call ends as soon as it was
			// answered
			for (int i = 0; i < 20; i++) {
				AtomicReference<StreamObserver<BytesValue>> requests = new AtomicReference<>();
				RecordingObserver<BytesValue> observer = new RecordingObserver<>() {

					@Override
					public void onNext(BytesValue response) {
						super.onNext(response);
						requests.get().onCompleted();
					}

				};
				responses.add(observer);
				requests.set(server.async().bidi(observer));
				requests.get().onNext(Messages.number(i));
			}
			for (int i = 0; i < 20; i++) {
				assertThat(responses.get(i).next()).isEqualTo(Messages.number(i));
				assertThat(responses.get(i).all()).isEmpty();
			}
			assertThat(telemetry.mostRunning).hasValue(3);
		}
	}

	@ParameterizedTest
	@CsvSource({ "t.Echo/Nope", "t.Nope/Unary", "Nope/x", "t.Echo/unary" })
	void anUnknownMethodIsUnimplemented(String method) throws Exception {
		try (TestServer server = TestServer.echo(Mode.ON_THE_LOOP::apply)) {
			MethodDescriptor<BytesValue, BytesValue> unknown = EchoGrpc.getUnaryMethod()
				.toBuilder()
				.setFullMethodName(method)
				.build();
			assertThatExceptionOfType(StatusRuntimeException.class)
				.isThrownBy(() -> ClientCalls.blockingUnaryCall(server.channel(), unknown, CallOptions.DEFAULT, EMPTY))
				.satisfies((ex) -> {
					assertThat(ex.getStatus().getCode()).isEqualTo(Status.Code.UNIMPLEMENTED);
					assertThat(ex.getStatus().getDescription()).contains(method);
				});
			assertThat(server.blocking().unary(EMPTY)).as("the connection lives").isEqualTo(EMPTY);
		}
	}

}
