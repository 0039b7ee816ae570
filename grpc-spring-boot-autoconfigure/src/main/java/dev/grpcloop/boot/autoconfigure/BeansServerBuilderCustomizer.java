package dev.grpcloop.boot.autoconfigure;

import dev.grpcloop.boot.GrpcEventLoopProvider;
import dev.grpcloop.engine.EventLoopServerBuilder;
import dev.grpcloop.engine.telemetry.EngineTelemetry;
import io.grpc.CompressorRegistry;
import io.grpc.DecompressorRegistry;
import io.grpc.HandlerRegistry;
import io.grpc.ServerBuilder;
import io.grpc.ServerCallExecutorSupplier;
import io.grpc.ServerStreamTracer;
import io.grpc.ServerTransportFilter;

import org.springframework.beans.factory.BeanFactory;
import org.springframework.grpc.server.ServerBuilderCustomizer;

/**
 * The beans that become calls of the server's builder.
 *
 * @param beans where they are
 */
record BeansServerBuilderCustomizer(BeanFactory beans) implements ServerBuilderCustomizer<EventLoopServerBuilder> {

	@Override
	public void customize(EventLoopServerBuilder builder) {
		this.beans.getBeanProvider(EngineTelemetry.class).ifAvailable(builder::telemetry);
		this.beans.getBeanProvider(GrpcEventLoopProvider.class)
			.ifAvailable((provider) -> builder.eventLoopGroup(provider.getEventLoopGroup()));
		customizeAny(builder, this.beans);
	}

	/**
	 * Customizes the builder of any server by what they all have.
	 * @param builder the builder
	 * @param beans where the beans are
	 */
	static void customizeAny(ServerBuilder<?> builder, BeanFactory beans) {
		beans.getBeanProvider(CompressorRegistry.class).ifAvailable(builder::compressorRegistry);
		beans.getBeanProvider(DecompressorRegistry.class).ifAvailable(builder::decompressorRegistry);
		beans.getBeanProvider(ServerCallExecutorSupplier.class).ifAvailable(builder::callExecutor);
		beans.getBeanProvider(HandlerRegistry.class).ifAvailable(builder::fallbackHandlerRegistry);
		beans.getBeanProvider(ServerTransportFilter.class).orderedStream().forEach(builder::addTransportFilter);
		beans.getBeanProvider(ServerStreamTracer.Factory.class)
			.orderedStream()
			.forEach(builder::addStreamTracerFactory);
	}

}
