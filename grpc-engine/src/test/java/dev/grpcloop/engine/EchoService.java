package dev.grpcloop.engine;

import com.google.protobuf.ByteString;
import com.google.protobuf.BytesValue;
import dev.grpcloop.engine.testproto.EchoGrpc;
import io.grpc.stub.ServerCallStreamObserver;
import io.grpc.stub.StreamObserver;

/**
 * Answers what it is asked. A server stream sends its request's bytes one message each.
 */
class EchoService extends EchoGrpc.EchoImplBase {

	@Override
	public void unary(BytesValue request, StreamObserver<BytesValue> responses) {
		responses.onNext(request);
		responses.onCompleted();
	}

	@Override
	public StreamObserver<BytesValue> clientStream(StreamObserver<BytesValue> responses) {
		return new StreamObserver<>() {

			private ByteString all = ByteString.EMPTY;

			@Override
			public void onNext(BytesValue request) {
				this.all = this.all.concat(request.getValue());
			}

			@Override
			public void onError(Throwable error) {
			}

			@Override
			public void onCompleted() {
				responses.onNext(BytesValue.of(this.all));
				responses.onCompleted();
			}

		};
	}

	@Override
	public void serverStream(BytesValue request, StreamObserver<BytesValue> responses) {
		ServerCallStreamObserver<BytesValue> observer = (ServerCallStreamObserver<BytesValue>) responses;
		ByteString bytes = request.getValue();
		Runnable send = new Runnable() {

			private int sent;

			@Override
			public void run() {
				while (observer.isReady() && this.sent < bytes.size()) {
					observer.onNext(BytesValue.of(bytes.substring(this.sent, ++this.sent)));
					if (this.sent == bytes.size()) {
						observer.onCompleted();
					}
				}
			}

		};
		if (bytes.isEmpty()) {
			observer.onCompleted();
			return;
		}
		observer.setOnReadyHandler(send);
	}

	@Override
	public StreamObserver<BytesValue> bidi(StreamObserver<BytesValue> responses) {
		return new StreamObserver<>() {

			@Override
			public void onNext(BytesValue request) {
				responses.onNext(request);
			}

			@Override
			public void onError(Throwable error) {
			}

			@Override
			public void onCompleted() {
				responses.onCompleted();
			}

		};
	}

}
