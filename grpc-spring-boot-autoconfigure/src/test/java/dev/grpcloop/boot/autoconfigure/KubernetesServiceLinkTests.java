package dev.grpcloop.boot.autoconfigure;

import java.util.Map;

import dev.grpcloop.boot.testsupport.TestApplications;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.env.StandardEnvironment;
import org.springframework.core.env.SystemEnvironmentPropertySource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatException;

/**
 * What a user reads whose application runs beside a Service of the name
 * {@code grpc-server}.
 */
@ExtendWith(OutputCaptureExtension.class)
class KubernetesServiceLinkTests {

	private static final Map<String, Object> LINKS = Map.of("GRPC_SERVER_PORT", "tcp://10.0.0.1:9090",
			"GRPC_SERVER_SERVICE_HOST", "10.0.0.1", "GRPC_SERVER_SERVICE_PORT", "9090", "GRPC_SERVER_PORT_9090_TCP",
			"tcp://10.0.0.1:9090", "GRPC_SERVER_PORT_9090_TCP_ADDR", "10.0.0.1");

	@Test
	void theVariableOfAServiceIsExplained(CapturedOutput output) {
		assertThatException().isThrownBy(() -> run(LINKS));
		assertThat(output).contains("APPLICATION FAILED TO START")
			.contains("The environment variable GRPC_SERVER_PORT has the value 'tcp://10.0.0.1:9090'.")
			.contains("Spring Boot takes it for the property grpc.server.port.")
			.contains("there is a Service of the name 'grpc-server'")
			.contains("enableServiceLinks: false")
			.contains("another name than 'grpc-server'")
			.contains("set grpc.server.port where it counts for more");
	}

	@Test
	void anArgumentCountsForMore(CapturedOutput output) {
		run(LINKS, "--grpc.server.port=0");
		assertThat(output).contains("Started").doesNotContain("WARN");
	}

	@Test
	void aWrongPortOfTheApplicationsOwnIsNone(CapturedOutput output) {
		assertThatException().isThrownBy(() -> run(Map.of("GRPC_SERVER_PORT", "nine")));
		assertThat(output).contains("Property grpc.server.port has the value 'nine'")
			.contains("a port from 0 to 65535")
			.doesNotContain("Kubernetes");
	}

	private static void run(Map<String, Object> variables, String... arguments) {
		StandardEnvironment environment = new StandardEnvironment();
		environment.getPropertySources()
			.replace(StandardEnvironment.SYSTEM_ENVIRONMENT_PROPERTY_SOURCE_NAME, new SystemEnvironmentPropertySource(
					StandardEnvironment.SYSTEM_ENVIRONMENT_PROPERTY_SOURCE_NAME, variables));
		TestApplications.builder(Application.class).environment(environment).run(arguments).close();
	}

	@Configuration(proxyBeanMethods = false)
	static class Application {

	}

}
