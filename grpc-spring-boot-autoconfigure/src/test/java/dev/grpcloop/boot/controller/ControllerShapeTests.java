package dev.grpcloop.boot.controller;

import java.util.List;

import dev.grpcloop.boot.testsupport.GreeterClient;
import dev.grpcloop.boot.testsupport.TestApplications;
import io.grpc.Status;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Every shape that a method may have, called by the stock client, wherever methods run.
 */
class ControllerShapeTests {

	@ParameterizedTest
	@ValueSource(strings = { "event-loop", "platform" })
	void everyShapeServesItsKindOfCall(String mode) throws Exception {
		try (ConfigurableApplicationContext context = TestApplications.run(Application.class,
				"grpc.server.executor.mode=" + mode); GreeterClient client = GreeterClient.of(context)) {
			for (String name : ShapesGrpc.names().toList()) {
				TestCall call = TestCall.start(client.channel(), ShapesGrpc.method(name));
				boolean many = name.startsWith("Client") || name.startsWith("Bidi");
				call.send(many ? new String[] { "Ada", "Grace" } : new String[] { "Ada" }).end();
				assertThat(call.messages()).as(name).isEqualTo(expected(name));
				assertThat(call.status().getCode()).as(name).isEqualTo(Status.Code.OK);
			}
		}
	}

	private static List<String> expected(String name) {
		if (name.startsWith("Unary")) {
			return List.of("Hello Ada");
		}
		if (name.startsWith("Server")) {
			return List.of("Hello Ada", "Hello Ada", "Hello Ada");
		}
		return name.startsWith("Client") ? List.of("Hello Ada and Grace") : List.of("Hello Ada", "Hello Grace");
	}

	@Configuration(proxyBeanMethods = false)
	@Import(ShapesController.class)
	static class Application {

	}

}
