package dev.grpcloop.engine;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

import com.google.protobuf.BytesValue;
import io.grpc.Context;
import io.grpc.Contexts;
import io.grpc.ForwardingServerCall.SimpleForwardingServerCall;
import io.grpc.ForwardingServerCallListener.SimpleForwardingServerCallListener;
import io.grpc.Metadata;
import io.grpc.ServerCall;
import io.grpc.ServerCallHandler;
import io.grpc.ServerInterceptor;
import io.grpc.ServerInterceptors;
import io.grpc.Status;
import io.grpc.stub.StreamObserver;
import io.grpc.util.MutableHandlerRegistry;

import static org.assertj.core.api.Assertions.assertThat;

class InterceptorTests {

	private static final Context.Key<String> USER = Context.key("user");

	@BothModes
	void theOneAddedLastRunsFirstAndThoseOfTheServiceRunInside(Mode mode) throws Exception {
		List<String> trace = new CopyOnWriteArrayList<>();
		try (TestServer server = TestServer.start(mode::apply,
				(builder) -> builder.intercept(new Tracing("first", trace))
					.addService(ServerInterceptors.interceptForward(new EchoService(),
							new Tracing("service-outer", trace), new Tracing("service-inner", trace)))
					.intercept(new Tracing("last", trace)))) {
			assertThat(server.blocking().unary(Messages.text("a"))).isEqualTo(Messages.text("a"));
			List<String> inward = List.of("last", "first", "service-outer", "service-inner");
			assertThat(trace.subList(0, 4)).as("start").isEqualTo(inward);
			assertThat(trace.subList(4, 8)).as("message").isEqualTo(inward);
			assertThat(trace.subList(8, 12)).as("response")
				.containsExactly("service-inner", "service-outer", "first", "last");
		}
	}

	@BothModes
	void theyRunForMethodsOfTheFallbackRegistryToo(Mode mode) throws Exception {
		List<String> trace = new CopyOnWriteArrayList<>();
		MutableHandlerRegistry registry = new MutableHandlerRegistry();
		registry.addService(new EchoService());
		try (TestServer server = TestServer.start(mode::apply,
				(builder) -> builder.intercept(new Tracing("global", trace)).fallbackHandlerRegistry(registry))) {
			assertThat(server.blocking().unary(Messages.text("a"))).isEqualTo(Messages.text("a"));
			assertThat(trace).containsExactly("global", "global", "global");
		}
	}

	@BothModes
	void oneThatClosesTheCallKeepsItFromTheService(Mode mode) throws Exception {
		List<String> reached = new CopyOnWriteArrayList<>();
		ServerInterceptor rejecting = new ServerInterceptor() {

			@Override
			public <Q, R> ServerCall.Listener<Q> interceptCall(ServerCall<Q, R> call, Metadata headers,
					ServerCallHandler<Q, R> next) {
				call.close(Status.UNAUTHENTICATED.withDescription("no"), new Metadata());
				return new ServerCall.Listener<>() {
				};
			}

		};
		EchoService service = new EchoService() {

			@Override
			public void unary(BytesValue request, StreamObserver<BytesValue> responses) {
				reached.add("unary");
				super.unary(request, responses);
			}

		};
		try (TestServer server = TestServer.start(mode::apply,
				(builder) -> builder.intercept(rejecting).addService(service))) {
			RecordingObserver<BytesValue> responses = new RecordingObserver<>();
			server.async().unary(Messages.ofSize(100_000, 1), responses);
			assertThat(responses.status().getCode()).isEqualTo(Status.Code.UNAUTHENTICATED);
			RecordingObserver<BytesValue> streamed = new RecordingObserver<>();
			server.async().bidi(streamed);
			assertThat(streamed.status().getDescription()).isEqualTo("no");
			assertThat(reached).isEmpty();
		}
	}

	@BothModes
	void aContextThatOneSetsReachesEveryCallbackOfTheService(Mode mode) throws Exception {
		List<String> seen = new CopyOnWriteArrayList<>();
		ServerInterceptor login = new ServerInterceptor() {

			@Override
			public <Q, R> ServerCall.Listener<Q> interceptCall(ServerCall<Q, R> call, Metadata headers,
					ServerCallHandler<Q, R> next) {
				return Contexts.interceptCall(Context.current().withValue(USER, "ada"), call, headers, next);
			}

		};
		EchoService service = new EchoService() {

			@Override
			public StreamObserver<BytesValue> bidi(StreamObserver<BytesValue> responses) {
				seen.add(USER.get());
				StreamObserver<BytesValue> echo = super.bidi(responses);
				return new StreamObserver<>() {

					@Override
					public void onNext(BytesValue value) {
						seen.add(USER.get());
						echo.onNext(value);
					}

					@Override
					public void onError(Throwable error) {
					}

					@Override
					public void onCompleted() {
						seen.add(USER.get());
						echo.onCompleted();
					}

				};
			}

		};
		try (TestServer server = TestServer.start(mode::apply,
				(builder) -> builder.intercept(login).addService(service))) {
			RecordingObserver<BytesValue> responses = new RecordingObserver<>();
			StreamObserver<BytesValue> requests = server.async().bidi(responses);
			requests.onNext(Messages.text("a"));
			requests.onCompleted();
			assertThat(responses.all()).hasSize(1);
			assertThat(seen).containsExactly("ada", "ada", "ada");
			assertThat(USER.get()).as("no context is left behind").isNull();
		}
	}

	@BothModes
	void oneMayAnswerInPlaceOfTheService(Mode mode) throws Exception {
		ServerInterceptor translating = new ServerInterceptor() {

			@Override
			public <Q, R> ServerCall.Listener<Q> interceptCall(ServerCall<Q, R> call, Metadata headers,
					ServerCallHandler<Q, R> next) {
				return next.startCall(new SimpleForwardingServerCall<Q, R>(call) {

					@Override
					public void close(Status status, Metadata trailers) {
						super.close(status.isOk() ? status : Status.NOT_FOUND.withDescription("translated"), trailers);
					}

				}, headers);
			}

		};
		EchoService service = new EchoService() {

			@Override
			public void unary(BytesValue request, StreamObserver<BytesValue> responses) {
				responses.onError(Status.INTERNAL.asException());
			}

		};
		try (TestServer server = TestServer.start(mode::apply,
				(builder) -> builder.intercept(translating).addService(service))) {
			RecordingObserver<BytesValue> responses = new RecordingObserver<>();
			server.async().unary(Messages.text("a"), responses);
			assertThat(responses.status().getCode()).isEqualTo(Status.Code.NOT_FOUND);
			assertThat(responses.status().getDescription()).isEqualTo("translated");
		}
	}

	/**
	 * Writes down that it sees the start, the request and the response.
	 */
	private record Tracing(String name, List<String> trace) implements ServerInterceptor {

		@Override
		public <Q, R> ServerCall.Listener<Q> interceptCall(ServerCall<Q, R> call, Metadata headers,
				ServerCallHandler<Q, R> next) {
			this.trace.add(this.name);
			ServerCall.Listener<Q> listener = next.startCall(new SimpleForwardingServerCall<Q, R>(call) {

				@Override
				public void sendMessage(R message) {
					Tracing.this.trace.add(Tracing.this.name);
					super.sendMessage(message);
				}

			}, headers);
			return new SimpleForwardingServerCallListener<>(listener) {

				@Override
				public void onMessage(Q message) {
					Tracing.this.trace.add(Tracing.this.name);
					super.onMessage(message);
				}

			};
		}

	}

}
