package dev.grpcloop.boot;

import dev.grpcloop.boot.testsupport.GreeterClient;
import dev.grpcloop.boot.testsupport.GreeterService;
import dev.grpcloop.boot.testsupport.TestApplications;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import dev.grpcloop.boot.executor.ExecutorMode;

import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Calls of the stock client to a service of an application, wherever service code runs.
 */
class GreeterCallTests {

	@ParameterizedTest
	@EnumSource(value = ExecutorMode.class, names = "VIRTUAL", mode = EnumSource.Mode.EXCLUDE)
	void allKindsOfCallAreAnswered(ExecutorMode mode) throws Exception {
		try (ConfigurableApplicationContext context = TestApplications.run(Application.class,
				"grpc.server.executor.mode=" + mode); GreeterClient client = GreeterClient.of(context)) {
			assertThat(client.hello("Ada")).isEqualTo("Hello Ada");
			assertThat(client.repeat("Ada")).containsExactly("Hello Ada", "Hello Ada", "Hello Ada");
			assertThat(client.collect("Ada", "Grace")).containsExactly("Hello Ada and Grace");
			assertThat(client.chat("Ada", "Grace")).containsExactly("Hello Ada", "Hello Grace");
			assertThatExceptionOfType(StatusRuntimeException.class).isThrownBy(() -> client.hello("absent"))
				.satisfies((ex) -> assertThat(ex.getStatus().getCode()).isEqualTo(Status.Code.NOT_FOUND));
		}
	}

	@Configuration(proxyBeanMethods = false)
	@Import(GreeterService.class)
	static class Application {

	}

}
