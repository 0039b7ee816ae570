package dev.grpcloop.engine.differential;

import java.util.List;

import io.grpc.Metadata;
import io.grpc.ServerCall;
import io.grpc.Status;
import io.grpc.stub.ServerCallStreamObserver;

/**
 * How a service answers, by one API or the other.
 */
interface Responder {

	void perform(Action action);

	default void perform(List<Action> actions) {
		actions.forEach(this::perform);
	}

	/**
	 * Answers through the call itself.
	 */
	record OfCall(ServerCall<?, Object> call, boolean protobuf) implements Responder {

		@Override
		public void perform(Action action) {
			if (action instanceof Action.Headers headers) {
				this.call.sendHeaders(headers.fields().toMetadata());
			}
			else if (action instanceof Action.Send send) {
				this.call.sendMessage(Marshallers.response(send.message(), this.protobuf));
			}
			else if (action instanceof Action.Close close) {
				this.call.close(close.status(), close.trailers().toMetadata());
			}
			else if (action instanceof Action.Throw thrown) {
				thrown.failure().fail();
			}
			else if (action instanceof Action.Request request) {
				this.call.request(request.count());
			}
			else if (action instanceof Action.Compression compression) {
				this.call.setCompression(compression.name());
			}
			else if (action instanceof Action.MessageCompression compression) {
				this.call.setMessageCompression(compression.enabled());
			}
		}

	}

	/**
	 * Answers through a stub's observer.
	 */
	record OfObserver(ServerCallStreamObserver<Object> observer, boolean protobuf) implements Responder {

		@Override
		public void perform(Action action) {
			if (action instanceof Action.Send send) {
				this.observer.onNext(Marshallers.response(send.message(), this.protobuf));
			}
			else if (action instanceof Action.Close close) {
				close(close.status(), close.trailers().toMetadata(), close.checked());
			}
			else if (action instanceof Action.Throw thrown) {
				thrown.failure().fail();
			}
			else if (action instanceof Action.Request request) {
				this.observer.request(request.count());
			}
			else if (action instanceof Action.Compression compression) {
				this.observer.setCompression(compression.name());
			}
			else if (action instanceof Action.MessageCompression compression) {
				this.observer.setMessageCompression(compression.enabled());
			}
		}

		private void close(Status status, Metadata trailers, boolean checked) {
			if (status.isOk()) {
				this.observer.onCompleted();
			}
			else {
				this.observer.onError(checked ? status.asException(trailers) : status.asRuntimeException(trailers));
			}
		}

	}

}
