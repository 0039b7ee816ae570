package dev.grpcloop.boot.endpoint;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.Base64;

import com.jayway.jsonpath.DocumentContext;
import com.jayway.jsonpath.JsonPath;
import dev.grpcloop.boot.server.EventLoopGrpcServerLifecycle;
import dev.grpcloop.boot.testsupport.GreeterClient;
import dev.grpcloop.boot.testsupport.GreeterService;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import org.springframework.boot.Banner;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The endpoint and the health on the web, with Spring MVC and WebFlux, where Spring
 * Security asks for a login.
 */
@Timeout(120)
class EndpointWebTests {

	private final HttpClient client = HttpClient.newHttpClient();

	@ParameterizedTest
	@CsvSource({ "REACTIVE, local.server.port, /actuator/grpc,",
			"SERVLET, local.management.port, /manage/rpc, --management.server.port=0"
					+ " --management.endpoints.web.base-path=/manage --management.endpoints.web.path-mapping.grpc=rpc" })
	void theEndpointIsServedToThoseWhoMaySeeIt(WebApplicationType type, String port, String path, String arguments)
			throws Exception {
		try (ConfigurableApplicationContext context = run(type,
				(arguments != null) ? arguments.split(" ") : new String[0]);
				GreeterClient grpc = GreeterClient.of(context)) {
			grpc.hello("Ada");
			String base = "http://localhost:" + context.getEnvironment().getRequiredProperty(port);
			assertThat(get(base + path, null).statusCode()).isEqualTo(401);
			DocumentContext report = json(get(base + path, "admin"));
			assertThat(report.<String>read("$.server.state")).isEqualTo("running");
			assertThat(report.<Integer>read("$.calls.started")).isOne();
			assertThat(report.<Integer>read("$.clients[0].connections")).isOne();
			assertThat(report.<String>read("$.server.startedAt")).endsWith("Z");
			String health = base + path.replaceAll("/(grpc|rpc)$", "/health/readiness");
			assertThat(json(get(health, "admin")).<String>read("$.components.grpcServer.status")).isEqualTo("UP");
			context.getBean(EventLoopGrpcServerLifecycle.class).stop(() -> {
			});
			assertThat(get(health, "admin").statusCode()).isEqualTo(503);
			assertThat(json(get(base + path, "admin")).<String>read("$.server.state")).isEqualTo("draining");
		}
	}

	private static ConfigurableApplicationContext run(WebApplicationType type, String... arguments) {
		return new SpringApplicationBuilder(Application.class).web(type)
			.bannerMode(Banner.Mode.OFF)
			.properties("server.port=0", "grpc.server.port=0", "grpc.server.address=127.0.0.1", "grpc.server.workers=1",
					"grpc.server.shutdown.drain-delay=1h", "management.endpoints.web.exposure.include=grpc,health",
					"management.endpoint.health.probes.enabled=true", "management.endpoint.health.show-details=always",
					"management.endpoint.health.group.readiness.include=readinessState,grpcServer",
					"management.endpoint.grpc.show-values=when-authorized", "management.endpoint.grpc.roles=ADMIN",
					"spring.security.user.name=admin", "spring.security.user.password=secret",
					"spring.security.user.roles=ADMIN", "spring.lifecycle.timeout-per-shutdown-phase=1ms")
			.run(arguments);
	}

	private HttpResponse<String> get(String uri, String user) throws IOException, InterruptedException {
		HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(uri));
		if (user != null) {
			request.header("Authorization",
					"Basic " + Base64.getEncoder().encodeToString((user + ":secret").getBytes()));
		}
		return this.client.send(request.build(), HttpResponse.BodyHandlers.ofString());
	}

	private static DocumentContext json(HttpResponse<String> response) {
		assertThat(response.statusCode()).as(response.body()).isEqualTo(200);
		return JsonPath.parse(response.body());
	}

	@Configuration(proxyBeanMethods = false)
	@EnableAutoConfiguration
	@Import(GreeterService.class)
	static class Application {

	}

}
