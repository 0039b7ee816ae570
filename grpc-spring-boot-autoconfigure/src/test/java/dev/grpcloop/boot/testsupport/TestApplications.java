package dev.grpcloop.boot.testsupport;

import java.util.stream.Stream;

import dev.grpcloop.boot.autoconfigure.GrpcLoopServerAutoConfiguration;

import org.springframework.boot.Banner;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.boot.autoconfigure.context.LifecycleAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;

/**
 * Applications with our auto-configuration alone, on a free port of the loopback
 * interface unless a test says otherwise.
 */
public final class TestApplications {

	private static final String[] DEFAULTS = { "grpc.server.port=0", "grpc.server.address=127.0.0.1",
			"grpc.server.workers=1" };

	private TestApplications() {
	}

	public static ConfigurableApplicationContext run(Class<?> configuration, String... properties) {
		return builder(configuration, properties).run();
	}

	public static SpringApplicationBuilder builder(Class<?> configuration, String... properties) {
		return new SpringApplicationBuilder(AutoConfigured.class, configuration).web(WebApplicationType.NONE)
			.bannerMode(Banner.Mode.OFF)
			.properties(Stream.concat(Stream.of(DEFAULTS), Stream.of(properties)).toArray(String[]::new));
	}

	public static ApplicationContextRunner runner() {
		return new ApplicationContextRunner().withUserConfiguration(AutoConfigured.class).withPropertyValues(DEFAULTS);
	}

	@Configuration(proxyBeanMethods = false)
	@Import(StartedServer.class)
	@ImportAutoConfiguration({ GrpcLoopServerAutoConfiguration.class, LifecycleAutoConfiguration.class })
	static class AutoConfigured {

	}

}
