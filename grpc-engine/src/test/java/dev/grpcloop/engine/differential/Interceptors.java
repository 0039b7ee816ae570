package dev.grpcloop.engine.differential;

import io.grpc.ForwardingServerCall.SimpleForwardingServerCall;
import io.grpc.ForwardingServerCallListener.SimpleForwardingServerCallListener;
import io.grpc.Metadata;
import io.grpc.ServerCall;
import io.grpc.ServerCallHandler;
import io.grpc.ServerInterceptor;
import io.grpc.Status;
import io.grpc.util.TransmitStatusRuntimeExceptionInterceptor;
import org.jspecify.annotations.Nullable;

/**
 * The interceptors of a server: the outer one watches, the inner one does what the script
 * says.
 */
final class Interceptors {

	private Interceptors() {
	}

	static ServerInterceptor scripted(ScriptedServices services) {
		return new ServerInterceptor() {

			@Override
			public <Q, R> ServerCall.Listener<Q> interceptCall(ServerCall<Q, R> call, Metadata headers,
					ServerCallHandler<Q, R> next) {
				return switch (services.probe(headers).script().interception()) {
					case NONE -> next.startCall(call, headers);
					case ADDS_METADATA -> next.startCall(addingMetadata(call), headers);
					case CLOSES -> {
						call.close(Status.UNAUTHENTICATED.withDescription("who are you"), Failure.trailers());
						yield new ServerCall.Listener<>() {
						};
					}
					case THROWS -> {
						Failure.RUNTIME.fail();
						yield new ServerCall.Listener<>() {
						};
					}
					case THROWS_STATUS -> {
						Failure.STATUS_RUNTIME_WITH_TRAILERS.fail();
						yield new ServerCall.Listener<>() {
						};
					}
					case TRANSMITS_STATUS ->
						TransmitStatusRuntimeExceptionInterceptor.instance().interceptCall(call, headers, next);
					case ENDS_AT_MESSAGE -> endingAtMessage(call, next.startCall(call, headers));
				};
			}

		};
	}

	private static <Q, R> ServerCall<Q, R> addingMetadata(ServerCall<Q, R> call) {
		return new SimpleForwardingServerCall<>(call) {

			@Override
			public void sendHeaders(Metadata headers) {
				headers.merge(Failure.trailers());
				super.sendHeaders(headers);
			}

			@Override
			public void close(Status status, Metadata trailers) {
				trailers.merge(Failure.trailers());
				super.close(status, trailers);
			}

		};
	}

	private static <Q, R> ServerCall.Listener<Q> endingAtMessage(ServerCall<Q, R> call,
			ServerCall.Listener<Q> listener) {
		return new SimpleForwardingServerCallListener<>(listener) {

			private boolean ended;

			@Override
			public void onMessage(Q message) {
				if (!this.ended) {
					this.ended = true;
					call.close(Status.PERMISSION_DENIED.withDescription("not this one"), Failure.trailers());
				}
			}

			@Override
			public void onHalfClose() {
				if (!this.ended) {
					super.onHalfClose();
				}
			}

		};
	}

	static ServerInterceptor watching(ScriptedServices services) {
		return new ServerInterceptor() {

			@Override
			public <Q, R> ServerCall.Listener<Q> interceptCall(ServerCall<Q, R> call, Metadata headers,
					ServerCallHandler<Q, R> next) {
				CallProbe probe = services.probe(headers);
				probe.entered(Fields.describe(headers));
				ServerCall.Listener<Q> listener;
				try {
					listener = next.startCall(new WatchedCall<>(call, probe), headers);
				}
				catch (Throwable ex) {
					probe.over("end");
					probe.notStarted("startCall threw " + ex.getClass().getSimpleName());
					throw ex;
				}
				return new WatchedListener<>(listener, probe);
			}

		};
	}

	private static final class WatchedCall<Q, R> extends SimpleForwardingServerCall<Q, R> {

		private final CallProbe probe;

		private boolean headersSent;

		private boolean sent;

		/** The call was ended for the service. */
		private boolean ended;

		WatchedCall(ServerCall<Q, R> call, CallProbe probe) {
			super(call);
			this.probe = probe;
		}

		@Override
		public void sendHeaders(Metadata headers) {
			if (!this.ended) {
				super.sendHeaders(headers);
				this.headersSent = true;
			}
		}

		@Override
		public void sendMessage(R message) {
			if (this.ended) {
				return;
			}
			Failure failure = (message instanceof Msg msg) ? msg.failure() : null;
			if (failure != null && this.probe.script().answersFaults() && this.headersSent && !this.probe.isOver()) {
				this.ended = true;
				this.probe.over("end");
				super.close(Status.UNKNOWN.withDescription("Application error processing RPC"), new Metadata());
				if (failure == Failure.ERROR) {
					failure.fail();
				}
				return;
			}
			if (failure != null || (this.sent && getMethodDescriptor().getType().serverSendsOneMessage())) {
				this.probe.over("end");
			}
			this.sent |= this.headersSent;
			super.sendMessage(message);
		}

		@Override
		public void close(Status status, Metadata trailers) {
			if (!this.ended) {
				this.probe.over("end");
				super.close(status, trailers);
			}
		}

	}

	private static final class WatchedListener<Q> extends ServerCall.Listener<Q> {

		private final ServerCall.Listener<Q> listener;

		private final CallProbe probe;

		private boolean ready;

		WatchedListener(ServerCall.Listener<Q> listener, CallProbe probe) {
			this.listener = listener;
			this.probe = probe;
		}

		@Override
		public void onReady() {
			run(this.ready ? null : "ready", this.listener::onReady);
			this.ready = true;
		}

		@Override
		public void onMessage(Q message) {
			run("message " + Marshallers.describe(message), () -> this.listener.onMessage(message));
		}

		@Override
		public void onHalfClose() {
			run("halfClose", this.listener::onHalfClose);
		}

		@Override
		public void onComplete() {
			run("complete", this.listener::onComplete);
		}

		@Override
		public void onCancel() {
			run("cancel", this.listener::onCancel);
		}

		private void run(@Nullable String callback, Runnable action) {
			if (callback != null) {
				this.probe.callback(callback);
			}
			try {
				action.run();
			}
			catch (Throwable ex) {
				this.probe.over("end");
				throw ex;
			}
			finally {
				if (callback != null) {
					this.probe.returned(callback);
				}
			}
		}

	}

}
