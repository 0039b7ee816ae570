package dev.grpcloop.engine;

import java.util.Iterator;
import java.util.concurrent.atomic.AtomicReference;

import com.google.protobuf.BytesValue;
import dev.grpcloop.engine.testproto.EchoGrpc;
import io.grpc.Metadata;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.stub.MetadataUtils;
import io.grpc.stub.StreamObserver;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * How a service ends its calls (cases B17, B18 and B22).
 */
class StatusTests {

	private static final Metadata.Key<String> TEXT = Metadata.Key.of("x-a", Metadata.ASCII_STRING_MARSHALLER);

	private static final Metadata.Key<byte[]> BINARY = Metadata.Key.of("y-bin", Metadata.BINARY_BYTE_MARSHALLER);

	@AutoClose
	private final EngineLog log = new EngineLog();

	@ParameterizedTest
	@EnumSource(value = Status.Code.class, mode = EnumSource.Mode.EXCLUDE, names = "OK")
	void everyCodeArrives(Status.Code code) throws Exception {
		Failing service = new Failing(code.toStatus().withDescription("because").asRuntimeException());
		try (TestServer server = TestServer.start(Mode.ON_THE_LOOP::apply, (builder) -> builder.addService(service))) {
			Status status = failure(server).getStatus();
			assertThat(status.getCode()).isEqualTo(code);
			assertThat(status.getDescription()).isEqualTo("because");
		}
	}

	@ParameterizedTest
	@ValueSource(strings = { "50% off", "%", "%41", "%zz", "line\nfeed\ttab\rreturn", "\u00e9\u65e5\u672c",
			"\ud83d\ude00", "~", " space around ", "quote\"backslash\\", "\u0000\u001f\u007f" })
	void aDescriptionArrivesAsItIs(String description) throws Exception {
		Failing service = new Failing(Status.INVALID_ARGUMENT.withDescription(description).asRuntimeException());
		try (TestServer server = TestServer.start(Mode.OFF_THE_LOOP::apply, (builder) -> builder.addService(service))) {
			assertThat(failure(server).getStatus().getDescription()).isEqualTo(description);
		}
	}

	@BothModes
	void aLongDescriptionArrivesWhole(Mode mode) throws Exception {
		String description = "\u00e9".repeat(2000);
		Failing service = new Failing(Status.INTERNAL.withDescription(description).asRuntimeException());
		try (TestServer server = TestServer.start(mode::apply, (builder) -> builder.addService(service))) {
			server.newChannel((builder) -> builder.maxInboundMetadataSize(64 * 1024));
			assertThat(failure(server).getStatus().getDescription()).isEqualTo(description);
		}
	}

	@BothModes
	void halfACharacterInADescriptionIsReplaced(Mode mode) throws Exception {
		Failing service = new Failing(Status.INTERNAL.withDescription("half \ud800").asRuntimeException());
		try (TestServer server = TestServer.start(mode::apply, (builder) -> builder.addService(service))) {
			assertThat(failure(server).getStatus().getDescription()).isEqualTo("half \ufffd");
		}
	}

	@BothModes
	void trailersOfAnErrorArrive(Mode mode) throws Exception {
		Metadata trailers = new Metadata();
		trailers.put(TEXT, "one");
		trailers.put(TEXT, "two");
		trailers.put(BINARY, new byte[] { 0, -85, 127 });
		for (Exception error : new Exception[] { Status.ABORTED.asRuntimeException(trailers),
				Status.ABORTED.asException(trailers) }) {
			Failing service = new Failing(error);
			try (TestServer server = TestServer.start(mode::apply, (builder) -> builder.addService(service))) {
				StatusRuntimeException failure = failure(server);
				assertThat(failure.getStatus().getCode()).isEqualTo(Status.Code.ABORTED);
				assertThat(failure.getTrailers().getAll(TEXT)).containsExactly("one", "two");
				assertThat(failure.getTrailers().get(BINARY)).containsExactly(0, -85, 127);
			}
		}
	}

	@BothModes
	void anErrorBeforeAnyMessageHasNoHeadersOfItsOwn(Mode mode) throws Exception {
		Failing service = new Failing(Status.ABORTED.asRuntimeException());
		try (TestServer server = TestServer.start(mode::apply, (builder) -> builder.addService(service))) {
			AtomicReference<Metadata> headers = new AtomicReference<>();
			AtomicReference<Metadata> trailers = new AtomicReference<>();
			EchoGrpc.EchoBlockingStub stub = server.blocking()
				.withInterceptors(MetadataUtils.newCaptureMetadataInterceptor(headers, trailers));
			assertThatExceptionOfType(StatusRuntimeException.class).isThrownBy(() -> stub.unary(Messages.text("a")));
			assertThat(headers.get()).as("headers").isNull();
			assertThat(trailers.get()).as("trailers").isNotNull();
			Iterator<BytesValue> responses = stub.serverStream(Messages.text("a"));
			assertThat(responses.next()).isEqualTo(Messages.text("a"));
			assertThat(headers.get()).as("headers of a call that has a message").isNotNull();
		}
	}

	@EveryVariant
	void anErrorComesAfterTheMessagesThatWereSentBefore(Variant variant) throws Exception {
		EchoService service = new EchoService() {

			@Override
			public void serverStream(BytesValue request, StreamObserver<BytesValue> responses) {
				for (int i = 0; i < 3; i++) {
					responses.onNext(Messages.number(i));
				}
				responses.onError(Status.DATA_LOSS.withDescription("after three").asRuntimeException());
			}

		};
		try (TestServer server = TestServer.start(variant::apply, (builder) -> builder.addService(service))) {
			Iterator<BytesValue> responses = server.blocking().serverStream(Messages.text("a"));
			for (int i = 0; i < 3; i++) {
				assertThat(responses.next()).isEqualTo(Messages.number(i));
			}
			assertThatExceptionOfType(StatusRuntimeException.class).isThrownBy(responses::hasNext)
				.satisfies((ex) -> assertThat(ex.getStatus().getDescription()).isEqualTo("after three"));
		}
	}

	@BothModes
	void anErrorDoesNotWaitForTheClientToEndItsStream(Mode mode) throws Exception {
		EchoService service = new EchoService() {

			@Override
			public StreamObserver<BytesValue> bidi(StreamObserver<BytesValue> responses) {
				responses.onError(Status.PERMISSION_DENIED.asException());
				return new StreamObserver<>() {

					@Override
					public void onNext(BytesValue value) {
					}

					@Override
					public void onError(Throwable error) {
					}

					@Override
					public void onCompleted() {
					}

				};
			}

		};
		try (TestServer server = TestServer.start(mode::apply, (builder) -> builder.addService(service))) {
			RecordingObserver<BytesValue> responses = new RecordingObserver<>();
			server.async().bidi(responses).onNext(Messages.text("and more to come"));
			assertThat(responses.status().getCode()).isEqualTo(Status.Code.PERMISSION_DENIED);
		}
	}

	@BothModes
	void aUnaryMethodThatCompletesWithoutAResponseFails(Mode mode) throws Exception {
		EchoService service = new EchoService() {

			@Override
			public void unary(BytesValue request, StreamObserver<BytesValue> responses) {
				responses.onCompleted();
			}

		};
		try (TestServer server = TestServer.start(mode::apply, (builder) -> builder.addService(service))) {
			assertThat(failure(server).getStatus().isOk()).isFalse();
			assertThat(this.log.messages()).singleElement().asString().contains("t.Echo/Unary");
		}
	}

	@BothModes
	void aUnaryMethodThatSendsTwoResponsesFails(Mode mode) throws Exception {
		EchoService service = new EchoService() {

			@Override
			public void unary(BytesValue request, StreamObserver<BytesValue> responses) {
				responses.onNext(request);
				responses.onNext(request);
				responses.onCompleted();
			}

		};
		try (TestServer server = TestServer.start(mode::apply, (builder) -> builder.addService(service))) {
			assertThat(failure(server).getStatus().isOk()).isFalse();
			assertThat(this.log.messages()).singleElement().asString().contains("t.Echo/Unary");
		}
	}

	private static StatusRuntimeException failure(TestServer server) throws InterruptedException {
		RecordingObserver<BytesValue> responses = new RecordingObserver<>();
		server.async().unary(Messages.text("a"), responses);
		return responses.end();
	}

	private static final class Failing extends EchoService {

		private final Exception error;

		Failing(Exception error) {
			this.error = error;
		}

		@Override
		public void unary(BytesValue request, StreamObserver<BytesValue> responses) {
			responses.onError(this.error);
		}

	}

}
