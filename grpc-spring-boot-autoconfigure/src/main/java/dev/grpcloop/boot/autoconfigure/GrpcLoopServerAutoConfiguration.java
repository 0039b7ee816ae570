package dev.grpcloop.boot.autoconfigure;

import dev.grpcloop.boot.autoconfigure.BooleanPropertyCondition.OnServerEnabled;
import dev.grpcloop.engine.EventLoopServer;
import io.grpc.BindableService;

import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Conditional;
import org.springframework.context.annotation.Import;
import org.springframework.grpc.server.GrpcServerFactory;

/**
 * {@link EnableAutoConfiguration Auto-configuration} for a gRPC server on event loops. It
 * serves every {@link BindableService} bean. Alone it starts without one too; where
 * Spring Boot's own gRPC server module is there it runs before that module's
 * configurations, which find a server and services and make none themselves.
 */
@AutoConfiguration(
		beforeName = { "org.springframework.boot.grpc.server.autoconfigure.GrpcServerAutoConfiguration",
				"org.springframework.boot.grpc.server.autoconfigure.GrpcServerObservationAutoConfiguration",
				"org.springframework.boot.grpc.server.autoconfigure.GrpcServerServicesAutoConfiguration",
				"org.springframework.boot.grpc.server.autoconfigure.health.GrpcServerHealthAutoConfiguration",
				"org.springframework.boot.grpc.test.autoconfigure.TestGrpcTransportAutoConfiguration" },
		afterName = {
				"org.springframework.boot.health.autoconfigure.registry.HealthContributorRegistryAutoConfiguration",
				"org.springframework.boot.micrometer.metrics.autoconfigure.CompositeMeterRegistryAutoConfiguration",
				"org.springframework.boot.micrometer.metrics.autoconfigure.MetricsAutoConfiguration",
				"org.springframework.boot.micrometer.metrics.autoconfigure.export.simple.SimpleMetricsExportAutoConfiguration",
				"org.springframework.boot.micrometer.observation.autoconfigure.ObservationAutoConfiguration" })
@ConditionalOnClass({ EventLoopServer.class, GrpcServerFactory.class })
@Conditional(OnServerEnabled.class)
@EnableConfigurationProperties(GrpcServerProperties.class)
@Import({ //
		LibraryConfiguration.class, //
		KeyCheckConfiguration.class, //
		SpringBootServerConfiguration.class, //
		ServiceConfiguration.class, //
		LazyInitializationConfiguration.class, //
		StatisticsConfiguration.class, //
		ObservationConfiguration.class, //
		MicrometerConfiguration.class, //
		AdditionalNamesConfiguration.class, //
		HealthCheckConfiguration.class, //
		HealthConfiguration.class, //
		SpringBootHealthConfiguration.class, //
		HealthTerminationConfiguration.class, //
		ReflectionConfiguration.class, //
		ExceptionConfiguration.class, //
		ExceptionHandlerConfiguration.class, //
		ConstraintExceptionConfiguration.class, //
		ValidationConfiguration.class, //
		ControllerConfiguration.class, //
		CodecConfiguration.class, //
		AccessLogConfiguration.class, //
		EventLoopServerConfiguration.class, //
		EngineMetersConfiguration.class, //
		InProcessServerConfiguration.class, //
		EndpointConfiguration.class, //
		HealthIndicatorConfiguration.class, //
		InfoConfiguration.class, //
		DescendantConfiguration.class, //
		SpringBootWarningsConfiguration.class })
public final class GrpcLoopServerAutoConfiguration {

}
