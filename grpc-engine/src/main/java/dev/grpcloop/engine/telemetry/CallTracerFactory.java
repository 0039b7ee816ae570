package dev.grpcloop.engine.telemetry;

import io.grpc.Attributes;
import io.grpc.Metadata;
import io.grpc.ServerStreamTracer;

/**
 * Makes the tracers of calls, and is told of the connection of each. grpc-java tells a
 * tracer of it when the call begins, which a call to a method that the server does not
 * know never does.
 */
public abstract class CallTracerFactory extends ServerStreamTracer.Factory {

	/**
	 * Makes the tracer of a call. The engine calls this method and not the one without
	 * the connection, to which it leads unless it is overridden.
	 * @param fullMethodName the method that the client named
	 * @param headers the headers of the call
	 * @param transport the attributes of the connection, such as its peer's address
	 * ({@link io.grpc.Grpc#TRANSPORT_ATTR_REMOTE_ADDR})
	 * @return the tracer, for this call alone
	 */
	public ServerStreamTracer newServerStreamTracer(String fullMethodName, Metadata headers, Attributes transport) {
		return newServerStreamTracer(fullMethodName, headers);
	}

}
