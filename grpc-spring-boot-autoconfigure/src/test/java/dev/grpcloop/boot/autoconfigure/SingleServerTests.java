package dev.grpcloop.boot.autoconfigure;

import dev.grpcloop.boot.server.EventLoopGrpcServerLifecycle;
import dev.grpcloop.boot.testsupport.GreeterClient;
import dev.grpcloop.boot.testsupport.GreeterService;
import dev.grpcloop.boot.testsupport.ServerThreads;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

import org.springframework.boot.Banner;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.grpc.server.GrpcServerFactory;
import org.springframework.grpc.server.NettyGrpcServerFactory;
import org.springframework.grpc.server.lifecycle.GrpcServerLifecycle;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatException;

/**
 * An application with Spring Boot's gRPC starter beside ours.
 */
@ExtendWith(OutputCaptureExtension.class)
class SingleServerTests {

	@Test
	void twoServersAreRefused(CapturedOutput output) {
		assertThatException().isThrownBy(() -> run(Application.class));
		assertThat(output).contains("APPLICATION FAILED TO START")
			.contains("Two gRPC servers would start")
			.contains("spring-boot-starter-grpc-server")
			.contains("grpc-spring-boot-starter")
			.contains("spring.grpc.server.enabled=false")
			.contains("set grpc.server.enabled=false")
			.doesNotContain("gRPC server started")
			.doesNotContain("gRPC Server started");
		ServerThreads.awaitNone();
	}

	@Test
	void oursServesAloneIfSpringBootsIsSwitchedOff() throws Exception {
		try (ConfigurableApplicationContext context = run(Application.class, "spring.grpc.server.enabled=false");
				GreeterClient client = GreeterClient.of(context)) {
			assertThat(context.getBean(GrpcServerLifecycle.class)).isInstanceOf(EventLoopGrpcServerLifecycle.class);
			assertThat(client.hello("Ada")).isEqualTo("Hello Ada");
		}
	}

	@Test
	void oursServesAloneIfSpringBootMakesNoFactory() throws Exception {
		try (ConfigurableApplicationContext context = run(Application.class,
				"spring.grpc.server.factory.enabled=false"); GreeterClient client = GreeterClient.of(context)) {
			assertThat(context.getBean(GrpcServerLifecycle.class)).isInstanceOf(EventLoopGrpcServerLifecycle.class);
			assertThat(client.hello("Ada")).isEqualTo("Hello Ada");
		}
	}

	@Test
	void springBootsServesAloneIfOursIsSwitchedOff() throws Exception {
		try (ConfigurableApplicationContext context = run(Application.class, "grpc.server.enabled=false");
				GreeterClient client = new GreeterClient("localhost",
						context.getBean(GrpcServerLifecycle.class).getPort())) {
			assertThat(context.getBean(GrpcServerFactory.class)).isInstanceOf(NettyGrpcServerFactory.class);
			assertThat(client.hello("Ada")).isEqualTo("Hello Ada");
		}
	}

	@Test
	void withoutServicesThereIsOnlyOneServerToStart() {
		try (ConfigurableApplicationContext context = run(Empty.class)) {
			assertThat(context.getBean(GrpcServerLifecycle.class)).isInstanceOf(EventLoopGrpcServerLifecycle.class);
		}
	}

	private static ConfigurableApplicationContext run(Class<?> configuration, String... properties) {
		return new SpringApplicationBuilder(configuration).web(WebApplicationType.NONE)
			.bannerMode(Banner.Mode.OFF)
			.properties("grpc.server.port=0", "grpc.server.address=127.0.0.1", "spring.grpc.server.port=0")
			.properties(properties)
			.run();
	}

	@Configuration(proxyBeanMethods = false)
	@EnableAutoConfiguration
	static class Empty {

	}

	@Configuration(proxyBeanMethods = false)
	@EnableAutoConfiguration
	@Import(GreeterService.class)
	static class Application {

	}

}
