package dev.grpcloop.boot.health;

import io.grpc.ForwardingServerCallListener.SimpleForwardingServerCallListener;
import io.grpc.Metadata;
import io.grpc.ServerCall;
import io.grpc.ServerCallHandler;
import io.grpc.ServerInterceptor;

/**
 * Keeps a client that is gone from hiding a change of health from others. A manager tells
 * those who watch one after the other, and a generated service that knows of the end of a
 * call throws when it is told something more; the rest would not be told at all. So it
 * does not hear of the end. The manager does, from the context of the call, and what a
 * call that has ended is told is dropped.
 */
final class GoneWatchers implements ServerInterceptor {

	@Override
	public <Q, R> ServerCall.Listener<Q> interceptCall(ServerCall<Q, R> call, Metadata headers,
			ServerCallHandler<Q, R> next) {
		return new SimpleForwardingServerCallListener<>(next.startCall(call, headers)) {

			@Override
			public void onCancel() {
				// the context has said so
			}

		};
	}

}
