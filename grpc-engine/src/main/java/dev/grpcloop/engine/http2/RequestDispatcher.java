package dev.grpcloop.engine.http2;

import dev.grpcloop.engine.call.CallEnvironment;
import dev.grpcloop.engine.call.CallLoop;
import dev.grpcloop.engine.call.CallRequest;
import dev.grpcloop.engine.call.InboundCall;
import dev.grpcloop.engine.call.MethodRegistry;
import dev.grpcloop.engine.call.MethodRoute;
import dev.grpcloop.engine.telemetry.Refusal;
import io.grpc.Status;

/**
 * Makes a call of a well-formed request: finds its method, and starts it. What is no gRPC
 * request is refused in HTTP terms.
 * <p>
 * Owned by the event loop.
 */
final class RequestDispatcher {

	private static final byte[][] NO_METADATA = {};

	private final Http2Connection connection;

	private final CallLoop callLoop;

	private final CallEnvironment environment;

	RequestDispatcher(Http2Connection connection, CallLoop callLoop, CallEnvironment environment) {
		this.connection = connection;
		this.callLoop = callLoop;
		this.environment = environment;
	}

	/**
	 * The peer opened a stream with a well-formed request.
	 */
	void dispatch(int streamId, RequestHeaders headers, boolean endOfStream) {
		Http2Stream stream = new Http2Stream(streamId, this.connection, headers, endOfStream);
		this.connection.streams().put(streamId, stream);
		this.connection.telemetry().streamOpened();
		// a block that has led to a method before needs no second look
		RequestCheck.HttpAnswer refusal = (headers.route() != null) ? null : RequestCheck.check(headers);
		if (refusal != null) {
			this.connection.telemetry().requestRefused(refusal.reason());
			stream.refuse(refusal);
		}
		else if (headers.badMetadata() != null) {
			this.connection.telemetry().requestRefused(Refusal.MALFORMED);
			stream.writeTrailers(Status.INTERNAL.withDescription(headers.badMetadata()), NO_METADATA);
		}
		else {
			startCall(stream, headers);
		}
		if (endOfStream) {
			stream.requestEnded();
		}
	}

	private void startCall(Http2Stream stream, RequestHeaders headers) {
		CallRequest request = new CallRequest(headers.newMetadata(), headers.encoding(), headers.acceptEncoding(),
				headers.timeoutNanos(), this.connection.batch().nanos());
		MethodRoute<?, ?> route = headers.route();
		if (route == null) {
			MethodRegistry registry = this.environment.registry();
			route = registry.lookup(headers.requestPath());
			if (route != null) {
				headers.route(route);
			}
			else {
				try {
					route = registry.lookupFallback(headers.requestPath(), headers.requestAuthority());
				}
				catch (Throwable ex) {
					InboundCall.lookupFailed(stream, this.callLoop, this.environment, headers.requestPath(), request,
							ex);
					return;
				}
			}
		}
		if (route == null) {
			InboundCall.unknownMethod(stream, this.callLoop, this.environment, headers.requestPath(), request);
			return;
		}
		InboundCall.start(route, stream, this.callLoop, this.environment, request);
	}

}
