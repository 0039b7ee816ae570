package dev.grpcloop.boot.testsupport;

import java.util.stream.Stream;

import dev.grpcloop.boot.autoconfigure.GrpcLoopServerAutoConfiguration;

import org.springframework.boot.Banner;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.boot.autoconfigure.context.LifecycleAutoConfiguration;
import org.springframework.boot.autoconfigure.ssl.SslAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.grpc.server.autoconfigure.GrpcServerAutoConfiguration;
import org.springframework.boot.grpc.server.autoconfigure.GrpcServerServicesAutoConfiguration;
import org.springframework.boot.grpc.server.autoconfigure.health.GrpcServerHealthAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.core.io.DefaultResourceLoader;

/**
 * Applications with Spring Boot's own gRPC starter and ours, on a free port of the
 * loopback interface unless a test says otherwise.
 */
public final class SpringBootApplications {

	private static final String[] DEFAULTS = { "spring.grpc.server.port=0", "spring.grpc.server.address=127.0.0.1",
			"grpc.server.workers=1" };

	private SpringBootApplications() {
	}

	public static ConfigurableApplicationContext run(Class<?> configuration, String... properties) {
		return builder(configuration, properties).run();
	}

	public static ConfigurableApplicationContext run(ClassLoader classLoader, Class<?> configuration,
			String... properties) {
		return builder(configuration, properties).resourceLoader(new DefaultResourceLoader(classLoader)).run();
	}

	public static SpringApplicationBuilder builder(Class<?> configuration, String... properties) {
		return new SpringApplicationBuilder(AutoConfigured.class, configuration).web(WebApplicationType.NONE)
			.bannerMode(Banner.Mode.OFF)
			.properties(Stream.concat(Stream.of(DEFAULTS), Stream.of(properties)).toArray(String[]::new));
	}

	/**
	 * Runs applications with no other auto-configuration than that of gRPC.
	 * @return a runner
	 */
	public static ApplicationContextRunner runner() {
		return new ApplicationContextRunner().withUserConfiguration(GrpcAutoConfigured.class)
			.withPropertyValues(DEFAULTS);
	}

	@Configuration(proxyBeanMethods = false)
	@Import(StartedServer.class)
	// a tracer has tests of its own
	@EnableAutoConfiguration(
			excludeName = "org.springframework.boot.micrometer.tracing.brave.autoconfigure.BraveAutoConfiguration")
	static class AutoConfigured {

	}

	@Configuration(proxyBeanMethods = false)
	@Import(StartedServer.class)
	@ImportAutoConfiguration({ GrpcLoopServerAutoConfiguration.class, LifecycleAutoConfiguration.class,
			GrpcServerAutoConfiguration.class, GrpcServerHealthAutoConfiguration.class,
			GrpcServerServicesAutoConfiguration.class, SslAutoConfiguration.class })
	static class GrpcAutoConfigured {

	}

}
