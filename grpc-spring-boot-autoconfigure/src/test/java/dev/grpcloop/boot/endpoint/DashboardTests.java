package dev.grpcloop.boot.endpoint;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;

import dev.grpcloop.boot.testsupport.GreeterService;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

import org.springframework.boot.Banner;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;

/**
 * The page, over HTTP, wherever applications put their endpoints. All of them have Spring
 * Security.
 */
@Timeout(120)
class DashboardTests {

	private static final String SECRET = Base64.getEncoder()
		.encodeToString("user:secret".getBytes(StandardCharsets.UTF_8));

	private static final HttpClient client = HttpClient.newHttpClient();

	static Stream<Arguments> places() {
		return Stream.of(arguments(WebApplicationType.SERVLET, "/actuator/grpc", List.of()),
				arguments(WebApplicationType.SERVLET, "/shop/manage/tools/rpc",
						List.of("server.servlet.context-path=/shop", "management.endpoints.web.base-path=/manage",
								"management.endpoints.web.path-mapping.grpc=tools/rpc")),
				arguments(WebApplicationType.SERVLET, "/grpc",
						List.of("management.server.port=0", "management.endpoints.web.base-path=/")),
				arguments(WebApplicationType.REACTIVE, "/shop/actuator/grpc",
						List.of("spring.webflux.base-path=/shop")));
	}

	@ParameterizedTest
	@MethodSource("places")
	void isWhereTheEndpointIs(WebApplicationType type, String path, List<String> properties) throws Exception {
		try (ConfigurableApplicationContext context = run(type, properties)) {
			String endpoint = "http://localhost:" + port(context) + path;
			HttpResponse<String> page = get(endpoint + "/dashboard", "text/html");
			assertFile(page, "text/html", "<title>gRPC server</title>");
			assertThat(names(page.body())).containsExactlyInAnyOrder("dashboard.js", "dashboard.css");
			assertFile(get(endpoint + "/dashboard.js", "*/*"), "text/javascript", "./dashboard-figures.js");
			assertFile(get(endpoint + "/dashboard-figures.js", "*/*"), "text/javascript", "export function percentile");
			assertFile(get(endpoint + "/dashboard.css", "text/css"), "text/css", "prefers-color-scheme");
			// what the script asks: the page's folder without its slash
			HttpResponse<String> report = get(endpoint, "application/json");
			assertThat(report.statusCode()).isEqualTo(200);
			assertThat(report.body()).contains("\"state\":\"running\"", "test.v1.Greeter");
			for (String name : List.of("dashboard.html", "dashboard.js.map", "dashboard-x.js", "Dashboard",
					"GrpcEndpoint.class", "x")) {
				assertThat(get(endpoint + "/" + name, "application/json").statusCode()).as(name).isEqualTo(404);
			}
			for (String trick : List.of("..%2Fdashboard.js", "dashboard%2F..%2Fdashboard.js", "%2e%2e%2fdashboard",
					"dashboard/dashboard.js", "dashboard%00.js", "dashboard;x=1/dashboard.js")) {
				assertThat(get(endpoint + "/" + trick, "*/*").statusCode()).as(trick).isBetween(400, 499);
			}
			assertThat(client.send(HttpRequest.newBuilder(URI.create(endpoint + "/dashboard")).build(),
					HttpResponse.BodyHandlers.discarding()))
				.extracting(HttpResponse::statusCode)
				.as("without a password")
				.isEqualTo(401);
		}
	}

	@Test
	void allowsNothingWithinItselfAndNothingFromElsewhere() throws IOException {
		String page = DashboardFile.find("dashboard").getBody().getContentAsString(StandardCharsets.UTF_8);
		assertThat(page).contains("default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; "
				+ "img-src 'self' data:; base-uri 'none'; form-action 'none'");
		assertThat(page).doesNotContain("<style", " style=", " onclick", "<script>", "http://127", "https://");
		Set<String> scripts = new TreeSet<>();
		addScripts("dashboard.js", scripts);
		assertThat(scripts).hasSize(DashboardFile.values().length - 2);
	}

	/** A script and those that it imports, and so on. */
	private static void addScripts(String name, Set<String> scripts) throws IOException {
		if (!scripts.add(name)) {
			return;
		}
		assertThat(DashboardFile.find(name)).as(name).isNotNull();
		String script = DashboardFile.find(name).getBody().getContentAsString(StandardCharsets.UTF_8);
		assertThat(script).as(name)
			.doesNotContain("innerHTML", "outerHTML", "insertAdjacentHTML", "document.write", "eval(", "new Function",
					"https://");
		for (MatchResult match : Pattern.compile("from '\\./([^']*)'").matcher(script).results().toList()) {
			addScripts(match.group(1), scripts);
		}
	}

	private static ConfigurableApplicationContext run(WebApplicationType type, List<String> properties) {
		List<String> common = List.of("server.port=0", "grpc.server.port=0", "grpc.server.address=127.0.0.1",
				"grpc.server.workers=1", "management.endpoints.web.exposure.include=grpc", "spring.jmx.enabled=false",
				"spring.security.user.name=user", "spring.security.user.password=secret",
				"spring.devtools.restart.enabled=false");
		return new SpringApplicationBuilder(Application.class).web(type)
			.bannerMode(Banner.Mode.OFF)
			.properties(Stream.concat(common.stream(), properties.stream()).toArray(String[]::new))
			.run();
	}

	private static String port(ConfigurableApplicationContext context) {
		String managed = context.getEnvironment().getProperty("local.management.port");
		return (managed != null) ? managed : context.getEnvironment().getRequiredProperty("local.server.port");
	}

	private static HttpResponse<String> get(String url, String accept) throws IOException, InterruptedException {
		HttpRequest request = HttpRequest.newBuilder(URI.create(url))
			.header("Authorization", "Basic " + SECRET)
			.header("Accept", accept)
			.build();
		return client.send(request, HttpResponse.BodyHandlers.ofString());
	}

	private static List<String> names(String page) {
		return Pattern.compile("<(?:script|link rel=\"stylesheet\")[^>]*(?:src|href)=\"([^\"]*)\"")
			.matcher(page)
			.results()
			.map((match) -> match.group(1))
			.toList();
	}

	private static void assertFile(HttpResponse<String> response, String type, String part) {
		assertThat(response.statusCode()).isEqualTo(200);
		assertThat(response.headers().firstValue("Content-Type")).hasValueSatisfying(
				(value) -> assertThat(value.replace(" ", "")).isEqualToIgnoringCase(type + ";charset=UTF-8"));
		assertThat(response.body()).contains(part);
	}

	@Configuration(proxyBeanMethods = false)
	@EnableAutoConfiguration
	@Import(GreeterService.class)
	static class Application {

	}

}
