package dev.grpcloop.engine;

import java.io.InputStream;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import java.util.stream.Stream;

import com.google.protobuf.BytesValue;
import dev.grpcloop.engine.testproto.EchoGrpc;
import io.grpc.Context;
import io.grpc.HandlerRegistry;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import io.grpc.ServerCall;
import io.grpc.ServerCallHandler;
import io.grpc.ServerInterceptor;
import io.grpc.ServerInterceptors;
import io.grpc.ServerMethodDefinition;
import io.grpc.ServerServiceDefinition;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.stub.StreamObserver;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Exceptions that the application throws end their call and nothing else, and their text
 * stays in the server (case B21).
 */
class ServiceFailureTests {

	private static final String SECRET = "the password is 1234";

	@AutoClose
	private final EngineLog log = new EngineLog();

	enum Place {

		INTERCEPTOR, START_CALL, ON_READY, ON_MESSAGE, ON_HALF_CLOSE

	}

	record Failure(Mode mode, Place place, Supplier<Throwable> what, String name) {

		@Override
		public String toString() {
			return this.mode + ", " + this.place + ", " + this.name;
		}

	}

	static Stream<Failure> failures() {
		return Stream.of(Mode.values())
			.flatMap((mode) -> Stream.of(Place.values())
				.flatMap((place) -> Stream.of(
						new Failure(mode, place, () -> new IllegalStateException(SECRET), "exception"),
						new Failure(mode, place, () -> new AssertionError(SECRET), "error"),
						new Failure(mode, place, StackOverflowError::new, "stack overflow"))));
	}

	@ParameterizedTest
	@MethodSource("failures")
	void theClientIsToldUnknownAndTheServerLivesOn(Failure failure) throws Exception {
		RecordingTelemetry telemetry = new RecordingTelemetry();
		CountDownLatch cancelled = new CountDownLatch(1);
		Thrower thrower = new Thrower(failure, cancelled);
		try (TestServer server = TestServer.start(failure.mode::apply,
				(builder) -> builder.addService(thrower.service()).telemetry(telemetry))) {
			Status status = call(server);
			assertThat(status.getCode()).isEqualTo(Status.Code.UNKNOWN);
			assertThat(String.valueOf(status.getDescription())).doesNotContain("password");
			assertThat(cancelled.await(10, TimeUnit.SECONDS)).as("the call's context ends").isTrue();
			thrower.active = false;
			assertThat(call(server)).extracting(Status::getCode).isEqualTo(Status.Code.OK);
			assertThat(telemetry.connectionsOpened).as("on the same connection").hasValue(1);
			assertThat(telemetry.method("t.Echo/Unary").closed).hasSize(2).first().satisfies((recorded) -> {
				assertThat(recorded.getCode()).isEqualTo(Status.Code.UNKNOWN);
				assertThat(recorded.getCause()).as("the cause is for the operator").hasSameClassAs(failure.what.get());
			});
		}
	}

	@BothModes
	void aStatusThatIsThrownFromTheStartKeepsItsCodeAndTrailers(Mode mode) throws Exception {
		Metadata trailers = new Metadata();
		Metadata.Key<String> key = Metadata.Key.of("x-why", Metadata.ASCII_STRING_MARSHALLER);
		trailers.put(key, "no token");
		ServerInterceptor rejecting = new ServerInterceptor() {

			@Override
			public <Q, R> ServerCall.Listener<Q> interceptCall(ServerCall<Q, R> call, Metadata headers,
					ServerCallHandler<Q, R> next) {
				throw Status.UNAUTHENTICATED.withDescription("who are you").asRuntimeException(trailers);
			}

		};
		try (TestServer server = TestServer.echo((builder) -> {
			mode.apply(builder);
			builder.intercept(rejecting);
		})) {
			RecordingObserver<BytesValue> responses = new RecordingObserver<>();
			server.async().unary(Messages.text("a"), responses);
			StatusRuntimeException end = responses.end();
			assertThat(end.getStatus().getCode()).isEqualTo(Status.Code.UNAUTHENTICATED);
			assertThat(end.getStatus().getDescription()).isEqualTo("who are you");
			assertThat(end.getTrailers().get(key)).isEqualTo("no token");
		}
	}

	@BothModes
	void whatIsThrownAfterTheEndChangesNothing(Mode mode) throws Exception {
		EchoService service = new EchoService() {

			@Override
			public void unary(BytesValue request, StreamObserver<BytesValue> responses) {
				responses.onNext(request);
				responses.onCompleted();
				throw new IllegalStateException(SECRET);
			}

		};
		try (TestServer server = TestServer.start(mode::apply, (builder) -> builder.addService(service))) {
			for (int i = 0; i < 3; i++) {
				assertThat(call(server)).extracting(Status::getCode).isEqualTo(Status.Code.OK);
			}
			Eventually.asserted(() -> assertThat(this.log.messages()).hasSize(3)
				.allMatch((message) -> message.contains("t.Echo/Unary")));
		}
	}

	@BothModes
	void aListenerThatFailsAtTheEndHarmsNoOtherCall(Mode mode) throws Exception {
		ServerCallHandler<BytesValue, BytesValue> handler = (call, headers) -> {
			call.request(1);
			call.sendHeaders(new Metadata());
			return new ServerCall.Listener<>() {

				@Override
				public void onMessage(BytesValue message) {
					call.sendMessage(message);
					call.close(Status.OK, new Metadata());
				}

				@Override
				public void onComplete() {
					throw new AssertionError(SECRET);
				}

			};
		};
		try (TestServer server = TestServer.start(mode::apply,
				(builder) -> builder.addService(unary(EchoGrpc.getUnaryMethod(), handler)))) {
			for (int i = 0; i < 3; i++) {
				assertThat(call(server)).extracting(Status::getCode).isEqualTo(Status.Code.OK);
			}
		}
	}

	@BothModes
	void aResponseMarshallerThatFailsEndsTheCall(Mode mode) throws Exception {
		MethodDescriptor<BytesValue, BytesValue> method = EchoGrpc.getUnaryMethod();
		MethodDescriptor<BytesValue, BytesValue> broken = method
			.toBuilder(method.getRequestMarshaller(), new MethodDescriptor.Marshaller<BytesValue>() {

				@Override
				public InputStream stream(BytesValue value) {
					if (value.getValue().isEmpty()) {
						throw new IllegalStateException(SECRET);
					}
					return method.getResponseMarshaller().stream(value);
				}

				@Override
				public BytesValue parse(InputStream stream) {
					return method.getResponseMarshaller().parse(stream);
				}

			})
			.build();
		try (TestServer server = TestServer.start(mode::apply,
				(builder) -> builder.addService(unary(broken, ServiceFailureTests::answer)))) {
			RecordingObserver<BytesValue> responses = new RecordingObserver<>();
			server.async().unary(BytesValue.getDefaultInstance(), responses);
			assertThat(responses.status().getCode()).isEqualTo(Status.Code.UNKNOWN);
			assertThat(String.valueOf(responses.status().getDescription())).doesNotContain("password");
			assertThat(call(server)).extracting(Status::getCode).isEqualTo(Status.Code.OK);
		}
	}

	@BothModes
	void aRequestMarshallerThatFailsEndsTheCall(Mode mode) throws Exception {
		MethodDescriptor<BytesValue, BytesValue> method = EchoGrpc.getUnaryMethod();
		MethodDescriptor<BytesValue, BytesValue> broken = method
			.toBuilder(new MethodDescriptor.Marshaller<BytesValue>() {

				@Override
				public InputStream stream(BytesValue value) {
					return method.getRequestMarshaller().stream(value);
				}

				@Override
				public BytesValue parse(InputStream stream) {
					BytesValue parsed = method.getRequestMarshaller().parse(stream);
					if (parsed.getValue().isEmpty()) {
						throw new IllegalStateException(SECRET);
					}
					return parsed;
				}

			}, method.getResponseMarshaller())
			.build();
		try (TestServer server = TestServer.start(mode::apply,
				(builder) -> builder.addService(unary(broken, ServiceFailureTests::answer)))) {
			RecordingObserver<BytesValue> responses = new RecordingObserver<>();
			server.async().unary(BytesValue.getDefaultInstance(), responses);
			assertThat(responses.status().getCode()).isEqualTo(Status.Code.UNKNOWN);
			assertThat(String.valueOf(responses.status().getDescription())).doesNotContain("password");
			assertThat(call(server)).extracting(Status::getCode).isEqualTo(Status.Code.OK);
		}
	}

	@BothModes
	void aFallbackRegistryThatFailsEndsTheCallAndNotTheConnection(Mode mode) throws Exception {
		RecordingTelemetry telemetry = new RecordingTelemetry();
		HandlerRegistry broken = new HandlerRegistry() {

			@Override
			public ServerMethodDefinition<?, ?> lookupMethod(String methodName, String authority) {
				throw new IllegalStateException(SECRET);
			}

			@Override
			public List<ServerServiceDefinition> getServices() {
				return List.of();
			}

		};
		try (TestServer server = TestServer.start(mode::apply,
				(builder) -> builder.fallbackHandlerRegistry(broken)
					.telemetry(telemetry)
					.addService(unary(EchoGrpc.getUnaryMethod(), ServiceFailureTests::answer)))) {
			assertThat(call(server)).extracting(Status::getCode).isEqualTo(Status.Code.OK);
			RecordingObserver<BytesValue> responses = new RecordingObserver<>();
			server.async().bidi(responses).onCompleted();
			assertThat(responses.status().getCode()).isEqualTo(Status.Code.UNKNOWN);
			assertThat(String.valueOf(responses.status().getDescription())).doesNotContain("password");
			assertThat(call(server)).extracting(Status::getCode).isEqualTo(Status.Code.OK);
			assertThat(telemetry.connectionsOpened).as("on the same connection").hasValue(1);
			assertThat(telemetry.running).hasValue(0);
		}
	}

	private static Status call(TestServer server) throws InterruptedException {
		RecordingObserver<BytesValue> responses = new RecordingObserver<>();
		server.async().unary(Messages.text("a"), responses);
		return responses.status();
	}

	private static ServerServiceDefinition unary(MethodDescriptor<BytesValue, BytesValue> method,
			ServerCallHandler<BytesValue, BytesValue> handler) {
		return ServerServiceDefinition.builder("t.Echo").addMethod(method, handler).build();
	}

	private static ServerCall.Listener<BytesValue> answer(ServerCall<BytesValue, BytesValue> call, Metadata headers) {
		call.request(1);
		return new ServerCall.Listener<>() {

			@Override
			public void onMessage(BytesValue message) {
				call.sendHeaders(new Metadata());
				call.sendMessage(message);
			}

			@Override
			public void onHalfClose() {
				call.close(Status.OK, new Metadata());
			}

		};
	}

	/**
	 * Throws at the place of its failure, as long as it is active.
	 */
	private static final class Thrower implements ServerInterceptor {

		private final Failure failure;

		private final CountDownLatch cancelled;

		private volatile boolean active = true;

		Thrower(Failure failure, CountDownLatch cancelled) {
			this.failure = failure;
			this.cancelled = cancelled;
		}

		ServerServiceDefinition service() {
			return ServerInterceptors.intercept(unary(EchoGrpc.getUnaryMethod(), (call, headers) -> {
				at(Place.START_CALL);
				ServerCall.Listener<BytesValue> answering = answer(call, headers);
				return new ServerCall.Listener<>() {

					@Override
					public void onReady() {
						at(Place.ON_READY);
					}

					@Override
					public void onMessage(BytesValue message) {
						at(Place.ON_MESSAGE);
						answering.onMessage(message);
					}

					@Override
					public void onHalfClose() {
						at(Place.ON_HALF_CLOSE);
						answering.onHalfClose();
					}

				};
			}), this);
		}

		@Override
		public <Q, R> ServerCall.Listener<Q> interceptCall(ServerCall<Q, R> call, Metadata headers,
				ServerCallHandler<Q, R> next) {
			if (this.active) {
				Context.current().addListener((context) -> this.cancelled.countDown(), Runnable::run);
			}
			at(Place.INTERCEPTOR);
			return next.startCall(call, headers);
		}

		private void at(Place place) {
			if (this.active && place == this.failure.place) {
				ServiceFailureTests.<RuntimeException>sneak(this.failure.what.get());
			}
		}

	}

	@SuppressWarnings("unchecked")
	private static <T extends Throwable> void sneak(Throwable throwable) throws T {
		throw (T) throwable;
	}

}
