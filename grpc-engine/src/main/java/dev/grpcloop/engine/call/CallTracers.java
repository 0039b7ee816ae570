package dev.grpcloop.engine.call;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

import dev.grpcloop.engine.telemetry.CallTracerFactory;
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

	private final List<ServerStreamTracer> tracers;

	/** The event loop's. */
	private int inboundCount;

	/** The sending thread's. */
	private int outboundCount;

	private CallTracers(List<ServerStreamTracer> tracers) {
		this.tracers = tracers;
	}

	static @Nullable CallTracers create(List<ServerStreamTracer.Factory> factories, String fullMethodName,
			Metadata headers, CallStream stream) {
		if (factories.isEmpty()) {
			return null;
		}
		List<ServerStreamTracer> tracers = new ArrayList<>(factories.size());
		for (ServerStreamTracer.Factory factory : factories) {
			try {
				tracers.add((factory instanceof CallTracerFactory calls)
						? calls.newServerStreamTracer(fullMethodName, headers, stream.attributes())
						: factory.newServerStreamTracer(fullMethodName, headers));
			}
			catch (Throwable ex) {
				logFailure(factory, ex);
			}
		}
		return new CallTracers(tracers);
	}

	/**
	 * A tracer that throws is a fault of the tracer, and no reason to lose the call.
	 */
	private void tell(Consumer<ServerStreamTracer> event) {
		for (ServerStreamTracer tracer : this.tracers) {
			try {
				event.accept(tracer);
			}
			catch (Throwable ex) {
				logFailure(tracer, ex);
			}
		}
	}

	private static void logFailure(Object source, Throwable ex) {
		CallDelivery.LOGGER.log(System.Logger.Level.WARNING,
				() -> source.getClass().getName() + " threw; its call goes on without what it would have recorded", ex);
	}

	Context filterContext(Context context) {
		Context filtered = context;
		for (ServerStreamTracer tracer : this.tracers) {
			try {
				filtered = tracer.filterContext(filtered);
			}
			catch (Throwable ex) {
				logFailure(tracer, ex);
			}
		}
		return filtered;
	}

	void started(MethodDescriptor<?, ?> method, CallStream stream) {
		ServerStreamTracer.ServerCallInfo<?, ?> info = new CallInfo<>(method, stream);
		tell((tracer) -> tracer.serverCallStarted(info));
	}

	void inboundMessage(int bytes) {
		int number = this.inboundCount++;
		tell((tracer) -> {
			tracer.inboundMessage(number);
			tracer.inboundWireSize(bytes);
			tracer.inboundMessageRead(number, bytes, -1);
		});
	}

	/**
	 * A message was read in full by its marshaller. The thread that runs callbacks.
	 */
	void inboundUncompressed(long bytes) {
		tell((tracer) -> tracer.inboundUncompressedSize(bytes));
	}

	void outboundMessage(int wireBytes, long uncompressedBytes) {
		int number = this.outboundCount++;
		tell((tracer) -> {
			tracer.outboundMessage(number);
			tracer.outboundUncompressedSize(uncompressedBytes);
			tracer.outboundWireSize(wireBytes);
			tracer.outboundMessageSent(number, wireBytes, uncompressedBytes);
		});
	}

	void closed(Status status) {
		tell((tracer) -> tracer.streamClosed(status));
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
