package dev.grpcloop.engine.call;

import java.util.List;

import io.grpc.Attributes;
import io.grpc.Context;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import io.grpc.ServerStreamTracer;
import io.grpc.Status;
import org.jspecify.annotations.Nullable;

/**
 * The stream tracers of one call, such as those of grpc-opentelemetry. Calls of a server
 * without tracer factories have none of these.
 */
final class CallTracers {

	private final ServerStreamTracer[] tracers;

	/** The event loop's. */
	private int inboundCount;

	/** The sending thread's. */
	private int outboundCount;

	private CallTracers(ServerStreamTracer[] tracers) {
		this.tracers = tracers;
	}

	static @Nullable CallTracers create(List<ServerStreamTracer.Factory> factories, String fullMethodName,
			Metadata headers) {
		if (factories.isEmpty()) {
			return null;
		}
		ServerStreamTracer[] tracers = new ServerStreamTracer[factories.size()];
		for (int i = 0; i < tracers.length; i++) {
			tracers[i] = factories.get(i).newServerStreamTracer(fullMethodName, headers);
		}
		return new CallTracers(tracers);
	}

	Context filterContext(Context context) {
		Context filtered = context;
		for (ServerStreamTracer tracer : this.tracers) {
			filtered = tracer.filterContext(filtered);
		}
		return filtered;
	}

	void started(MethodDescriptor<?, ?> method, CallStream stream) {
		ServerStreamTracer.ServerCallInfo<?, ?> info = new CallInfo<>(method, stream);
		for (ServerStreamTracer tracer : this.tracers) {
			tracer.serverCallStarted(info);
		}
	}

	void inboundMessage(int bytes) {
		int number = this.inboundCount++;
		for (ServerStreamTracer tracer : this.tracers) {
			tracer.inboundMessage(number);
			tracer.inboundWireSize(bytes);
			tracer.inboundMessageRead(number, bytes, -1);
		}
	}

	/**
	 * A message was read in full by its marshaller. The thread that runs callbacks.
	 */
	void inboundUncompressed(long bytes) {
		for (ServerStreamTracer tracer : this.tracers) {
			tracer.inboundUncompressedSize(bytes);
		}
	}

	void outboundMessage(int wireBytes, long uncompressedBytes) {
		int number = this.outboundCount++;
		for (ServerStreamTracer tracer : this.tracers) {
			tracer.outboundMessage(number);
			tracer.outboundUncompressedSize(uncompressedBytes);
			tracer.outboundWireSize(wireBytes);
			tracer.outboundMessageSent(number, wireBytes, uncompressedBytes);
		}
	}

	void closed(Status status) {
		for (ServerStreamTracer tracer : this.tracers) {
			tracer.streamClosed(status);
		}
	}

	private static final class CallInfo<Q, R> extends ServerStreamTracer.ServerCallInfo<Q, R> {

		private final MethodDescriptor<Q, R> method;

		private final CallStream stream;

		CallInfo(MethodDescriptor<Q, R> method, CallStream stream) {
			this.method = method;
			this.stream = stream;
		}

		@Override
		public MethodDescriptor<Q, R> getMethodDescriptor() {
			return this.method;
		}

		@Override
		public Attributes getAttributes() {
			return this.stream.attributes();
		}

		@Override
		public @Nullable String getAuthority() {
			return this.stream.authority();
		}

	}

}
