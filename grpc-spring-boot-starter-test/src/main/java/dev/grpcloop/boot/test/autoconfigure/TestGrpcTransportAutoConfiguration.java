package dev.grpcloop.boot.test.autoconfigure;

import java.util.List;

import dev.grpcloop.boot.autoconfigure.GrpcLoopSecurityAutoConfiguration;
import dev.grpcloop.boot.autoconfigure.GrpcLoopServerAutoConfiguration;
import io.grpc.inprocess.InProcessServerBuilder;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.util.LambdaSafe;
import org.springframework.context.ApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;
import org.springframework.grpc.client.ClientInterceptorsConfigurer;
import org.springframework.grpc.server.ServerBuilderCustomizer;
import org.springframework.grpc.server.ServerServiceDefinitionFilter;
import org.springframework.grpc.server.service.ServerInterceptorFilter;

/**
 * {@link EnableAutoConfiguration Auto-configuration} of a gRPC server within the process
 * of the test, and of channels to it. Where Spring Boot's annotation of the same name is
 * used as well, its server is the only one.
 *
 * @see AutoConfigureTestGrpcTransport
 */
@AutoConfiguration(before = GrpcLoopSecurityAutoConfiguration.class, after = GrpcLoopServerAutoConfiguration.class,
		beforeName = { "org.springframework.boot.grpc.server.autoconfigure.GrpcServerAutoConfiguration",
				"org.springframework.boot.grpc.client.autoconfigure.GrpcClientAutoConfiguration" },
		afterName = "org.springframework.boot.grpc.test.autoconfigure.TestGrpcTransportAutoConfiguration")
@ConditionalOnMissingBean(type = "org.springframework.boot.grpc.test.autoconfigure.TestGrpcServerFactory")
public final class TestGrpcTransportAutoConfiguration {

	@Bean
	@ConditionalOnMissingBean
	@Order(Ordered.HIGHEST_PRECEDENCE)
	TestGrpcServerFactory grpcLoopTestServerFactory(ApplicationContext context,
			ObjectProvider<ServerServiceDefinitionFilter> serviceFilters,
			ObjectProvider<ServerInterceptorFilter> interceptorFilters,
			ObjectProvider<ServerBuilderCustomizer<?>> customizers) {
		List<ServerBuilderCustomizer<?>> own = customizers.orderedStream().toList();
		return new TestGrpcServerFactory(InProcessServerBuilder.generateName(), new TestedServices(context),
				serviceFilters.orderedStream().toList(), interceptorFilters.orderedStream().toList(),
				(builder) -> customize(builder, own));
	}

	/** Leaves out the customizers of other servers' builders. */
	@SuppressWarnings("unchecked")
	private static void customize(InProcessServerBuilder builder, List<ServerBuilderCustomizer<?>> customizers) {
		LambdaSafe.callbacks(ServerBuilderCustomizer.class, customizers, builder)
			.withLogger(TestGrpcServerFactory.class)
			.invoke((customizer) -> customizer.customize(builder));
	}

	@Bean
	@ConditionalOnMissingBean
	TestGrpcServerLifecycle grpcLoopTestServerLifecycle(TestGrpcServerFactory factory, ApplicationContext context) {
		return new TestGrpcServerLifecycle(factory, context);
	}

	@Bean
	@ConditionalOnMissingBean
	ClientInterceptorsConfigurer grpcLoopTestClientInterceptorsConfigurer(ApplicationContext context) {
		return new ClientInterceptorsConfigurer(context);
	}

	@Bean
	@ConditionalOnMissingBean
	@Order(Ordered.HIGHEST_PRECEDENCE)
	TestGrpcChannelFactory grpcLoopTestChannelFactory(TestGrpcServerFactory servers,
			ClientInterceptorsConfigurer interceptors) {
		return new TestGrpcChannelFactory(servers.name(), interceptors);
	}

}
