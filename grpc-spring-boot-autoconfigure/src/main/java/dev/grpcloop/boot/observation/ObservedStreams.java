package dev.grpcloop.boot.observation;

import dev.grpcloop.engine.EventLoopServerBuilder;

import org.springframework.grpc.server.ServerBuilderCustomizer;

/**
 * Tells the interceptor how calls end, where it is the one that records them.
 *
 * @param observation who records them
 */
public record ObservedStreams(CallObservation observation) implements ServerBuilderCustomizer<EventLoopServerBuilder> {

	@Override
	public void customize(EventLoopServerBuilder builder) {
		if (this.observation.isIntercepted()) {
			builder.addStreamTracerFactory(new Factory());
		}
	}

	private static final class Factory extends io.grpc.ServerStreamTracer.Factory {

		@Override
		public io.grpc.ServerStreamTracer newServerStreamTracer(String fullMethodName, io.grpc.Metadata headers) {
			return new ObservedStream();
		}

	}

}
