package dev.grpcloop.boot.autoconfigure;

import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.Map;
import java.util.function.Consumer;

import dev.grpcloop.boot.testsupport.BesideSpringBoot;
import dev.grpcloop.boot.testsupport.GreeterService;
import dev.grpcloop.boot.testsupport.ServerThreads;
import dev.grpcloop.boot.testsupport.SpringBootApplications;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.beans.BeanWrapperImpl;
import org.springframework.boot.test.context.assertj.AssertableApplicationContext;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.context.runner.ContextConsumer;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.core.env.StandardEnvironment;
import org.springframework.core.env.SystemEnvironmentPropertySource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatException;

/**
 * Under which names the properties are read where Spring Boot's gRPC starter is beside
 * ours.
 */
@Timeout(60)
@ExtendWith(OutputCaptureExtension.class)
@BesideSpringBoot
class SpringBootPropertiesTests {

	private final ApplicationContextRunner runner = SpringBootApplications.runner().withBean(GreeterService.class);

	@AfterEach
	void noThreadIsLeft() {
		ServerThreads.awaitNone();
	}

	@ParameterizedTest
	@CsvSource({ "keepalive.time,7,keepalive.time,PT7S", "keepalive.timeout,7,keepalive.timeout,PT7S",
			"keepalive.permit.time,7,keepalive.permit.time,PT7S",
			"keepalive.permit.without-calls,true,keepalive.permit.withoutCalls,true",
			"keepalive.connection.max-idle-time,7,keepalive.connection.maxIdleTime,PT7S",
			"keepalive.connection.max-age,7,keepalive.connection.maxAge,PT7S",
			"keepalive.connection.grace-period,7,keepalive.connection.gracePeriod,PT7S",
			"inbound.message.max-size,7,inbound.message.maxSize,7B",
			"inbound.metadata.max-size,7KB,inbound.metadata.maxSize,7168B",
			"shutdown.grace-period,7,shutdown.gracePeriod,PT7S",
			"observation.enabled,false,observation.enabled,false" })
	void whatSpringBootHasIsReadUnderItsName(String key, String value, String path, String expected,
			CapturedOutput output) {
		this.runner.withPropertyValues("spring.grpc.server." + key + "=" + value)
			.run(with(path, (read) -> assertThat(read).isEqualTo(expected)));
		assertThat(output).doesNotContain("WARN");
		Object unchanged = new BeanWrapperImpl(new GrpcServerProperties()).getPropertyValue(path);
		this.runner.withPropertyValues("grpc.server." + key + "=" + value)
			.run(with(path, (read) -> assertThat(read).isEqualTo(String.valueOf(unchanged))));
	}

	@ParameterizedTest
	@CsvSource({ "handshake-timeout,7ms,handshakeTimeout,PT0.007S", "backend,nio,backend,NIO",
			"inbound.headers-timeout,7,inbound.headersTimeout,PT7S", "guard.resets,7,guard.resets,7",
			"executor.max-threads,7,executor.maxThreads,7", "metrics.enabled,false,metrics.enabled,false",
			"observation.recorder,engine,observation.recorder,ENGINE",
			"flow-control.window,1MB,flowControl.window,1048576B" })
	void whatSpringBootHasNotIsReadUnderOurs(String key, String value, String path, String expected,
			CapturedOutput output) {
		this.runner.withPropertyValues("grpc.server." + key + "=" + value)
			.run(with(path, (read) -> assertThat(read).isEqualTo(expected)));
		assertThat(output).doesNotContain("WARN");
		this.runner.withPropertyValues("spring.grpc.server." + key + "=no value of its kind")
			.run((context) -> assertThat(context).hasNotFailed());
		assertThat(output).containsOnlyOnce("WARN")
			.contains("- spring.grpc.server." + key + ": write grpc.server." + key);
	}

	@Test
	void oneWarningNamesAllPropertiesWithoutEffect(CapturedOutput output) {
		this.runner
			.withPropertyValues("grpc.server.port=9999", "grpc.server.keepalive.time=7s",
					"grpc.server.health.enabled=false", "spring.grpc.server.servlet.validate-http2=false",
					"spring.grpc.server.servlet.enabled=true", "spring.grpc.server.security.csrf.enabled=true",
					"spring.grpc.server.workers=2", "grpc.server.shutdown.drain-delay=0", "grpc.server.enabled=true",
					"spring.grpc.server.enabled=true", "spring.grpc.server.netty.transport=tcp",
					"spring.grpc.server.observation.enabled=false", "spring.grpc.server.reflection.enabled=true",
					"spring.grpc.server.health.schedule.enabled=false", "spring.grpc.client.channel.a.target=b")
			.run((context) -> assertThat(context).hasNotFailed());
		assertThat(output.getOut().lines().filter((line) -> line.startsWith("    - "))).containsExactly(
				"    - grpc.server.health.enabled: write spring.grpc.server.health.enabled",
				"    - grpc.server.keepalive.time: write spring.grpc.server.keepalive.time",
				"    - grpc.server.port: write spring.grpc.server.port",
				"    - spring.grpc.server.security.csrf.enabled: there is no web request to protect; no servlet serves "
						+ "gRPC here: the event-loop server listens on spring.grpc.server.port",
				"    - spring.grpc.server.servlet.enabled: no servlet serves gRPC here: the event-loop server listens "
						+ "on spring.grpc.server.port",
				"    - spring.grpc.server.servlet.validate-http2: no servlet serves gRPC here: the event-loop server "
						+ "listens on spring.grpc.server.port",
				"    - spring.grpc.server.workers: write grpc.server.workers");
		assertThat(output).containsOnlyOnce("WARN");
	}

	@Test
	void whatKubernetesSetsForAServiceIsNotNamed(CapturedOutput output) {
		withVariables(Map.of("GRPC_SERVER_PORT", "tcp://10.0.0.7:9090", "GRPC_SERVER_PORT_9090_TCP",
				"tcp://10.0.0.7:9090", "GRPC_SERVER_SERVICE_HOST", "10.0.0.7", "GRPC_SERVER_SERVICE_PORT", "9090"))
			.run((context) -> assertThat(context).hasNotFailed());
		assertThat(output).doesNotContain("WARN");
	}

	@Test
	void whatTheApplicationsOwnVariablesSayIs(CapturedOutput output) {
		withVariables(Map.of("GRPC_SERVER_PORT", "9090", "GRPC_SERVER_REFLECTION_ENABLED", "false"))
			.run((context) -> assertThat(context).hasNotFailed());
		assertThat(output).containsOnlyOnce("WARN")
			.contains("- grpc.server.port: write spring.grpc.server.port")
			.contains("- grpc.server.reflection.enabled: write spring.grpc.server.reflection.enabled");
	}

	private ApplicationContextRunner withVariables(Map<String, Object> variables) {
		return this.runner.withInitializer((context) -> context.getEnvironment()
			.getPropertySources()
			.addFirst(new SystemEnvironmentPropertySource(
					"test-" + StandardEnvironment.SYSTEM_ENVIRONMENT_PROPERTY_SOURCE_NAME, variables)));
	}

	@ParameterizedTest
	@ValueSource(strings = { "port=-1", "port=abc", "keepalive.time=0", "keepalive.timeout=-20s",
			"keepalive.permit.time=-1", "keepalive.connection.max-age=0", "keepalive.connection.max-idle-time=0",
			"keepalive.connection.grace-period=-1", "inbound.message.max-size=3GB", "inbound.metadata.max-size=0",
			"inbound.message.max-size=4 apples", "shutdown.grace-period=soon", "factory.enabled=maybe", "enabled=maybe",
			"enabled=", "factory.enabled=", "address=no.such.host.invalid" })
	void aValueThatIsNotAllowedIsToldUnderItsName(String property, CapturedOutput output) {
		assertThatException()
			.isThrownBy(() -> SpringBootApplications.run(GreeterService.class, "spring.grpc.server." + property));
		String key = property.substring(0, property.indexOf('='));
		assertThat(output).contains("APPLICATION FAILED TO START")
			.contains("spring.grpc.server." + key)
			.contains(AllowedValues.of("grpc.server." + key));
		assertThat(output.getOut().lines().filter((line) -> line.contains(key)))
			.noneSatisfy((line) -> assertThat(line).containsPattern("(?<!spring\\.)grpc\\.server\\." + key));
	}

	@Test
	void aTakenPortIsToldUnderItsName(CapturedOutput output) throws Exception {
		try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getByName("127.0.0.1"))) {
			assertThatException().isThrownBy(() -> SpringBootApplications.run(GreeterService.class,
					"spring.grpc.server.port=" + socket.getLocalPort()));
			assertThat(output).contains("is already in use").contains("or set spring.grpc.server.port to another");
		}
	}

	private static ContextConsumer<AssertableApplicationContext> with(String path, Consumer<String> assertion) {
		return (context) -> {
			GrpcServerProperties properties = context.getBean(GrpcServerProperties.class);
			assertion.accept(String.valueOf(new BeanWrapperImpl(properties).getPropertyValue(path)));
		};
	}

}
