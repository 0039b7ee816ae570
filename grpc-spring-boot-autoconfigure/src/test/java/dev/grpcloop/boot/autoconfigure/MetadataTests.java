package dev.grpcloop.boot.autoconfigure;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Properties;

import com.jayway.jsonpath.JsonPath;
import org.junit.jupiter.api.Test;

import org.springframework.core.io.support.SpringFactoriesLoader;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The files that the annotation processors write: what users see in their editors, and
 * what lets Spring Boot skip a configuration without loading it.
 */
class MetadataTests {

	private static final List<String> KEYS = List.of("grpc.server.address", "grpc.server.backend",
			"grpc.server.enabled", "grpc.server.executor.blocked-threshold", "grpc.server.executor.max-threads",
			"grpc.server.executor.mode", "grpc.server.executor.queue-capacity",
			"grpc.server.flow-control.max-buffered-per-call", "grpc.server.inbound.message.max-size",
			"grpc.server.inbound.metadata.max-size", "grpc.server.max-concurrent-calls-per-connection",
			"grpc.server.metrics.enabled", "grpc.server.port", "grpc.server.shutdown.grace-period",
			"grpc.server.workers");

	@Test
	void everyPropertyIsDescribed() throws IOException {
		List<Map<String, Object>> properties = JsonPath.read(ours("META-INF/spring-configuration-metadata.json"),
				"$.properties");
		assertThat(properties).extracting((property) -> property.get("name")).hasSameElementsAs(KEYS);
		assertThat(properties)
			.allSatisfy((property) -> assertThat(property.get("description")).asString().isNotBlank());
	}

	@Test
	void defaultsAreShown() throws IOException {
		List<Map<String, Object>> properties = JsonPath.read(ours("META-INF/spring-configuration-metadata.json"),
				"$.properties[?(@.defaultValue)]");
		assertThat(properties).extracting((property) -> property.get("name") + "=" + property.get("defaultValue"))
			.containsExactlyInAnyOrder("grpc.server.backend=auto", "grpc.server.enabled=true",
					"grpc.server.executor.blocked-threshold=100ms", "grpc.server.executor.max-threads=200",
					"grpc.server.executor.mode=auto", "grpc.server.executor.queue-capacity=10000",
					"grpc.server.flow-control.max-buffered-per-call=64MB", "grpc.server.inbound.message.max-size=4MB",
					"grpc.server.inbound.metadata.max-size=8KB", "grpc.server.max-concurrent-calls-per-connection=1000",
					"grpc.server.metrics.enabled=true", "grpc.server.port=9090",
					"grpc.server.shutdown.grace-period=30s");
	}

	@Test
	void everyPropertySaysWhatIsAllowed() {
		assertThat(KEYS).allSatisfy((key) -> assertThat(AllowedValues.of(key)).isNotBlank());
	}

	@Test
	void theAutoConfigurationIsListedWithItsConditions() throws IOException {
		String name = GrpcLoopServerAutoConfiguration.class.getName();
		assertThat(ours("META-INF/spring/org.springframework.boot.autoconfigure.AutoConfiguration.imports").lines())
			.containsExactly(name);
		Properties conditions = new Properties();
		conditions.load(new java.io.StringReader(ours("META-INF/spring-autoconfigure-metadata.properties")));
		assertThat(conditions.getProperty(name + ".ConditionalOnClass")).contains("EventLoopServer",
				"GrpcServerFactory");
		assertThat(conditions.getProperty(name + ".AutoConfigureAfter"))
			.contains("org.springframework.boot.grpc.server.autoconfigure.GrpcServerAutoConfiguration")
			.contains("org.springframework.boot.micrometer.metrics.autoconfigure.MetricsAutoConfiguration");
	}

	@Test
	void theClassesThatOursComesAfterExist() {
		String[] after = GrpcLoopServerAutoConfiguration.class
			.getAnnotation(org.springframework.boot.autoconfigure.AutoConfiguration.class)
			.afterName();
		assertThat(after).isNotEmpty().allSatisfy((name) -> assertThat(Class.forName(name)).isNotNull());
	}

	@Test
	void theFailureAnalyzerIsListed() {
		assertThat(SpringFactoriesLoader.forDefaultResourceLocation()
			.load(org.springframework.boot.diagnostics.FailureAnalyzer.class,
					SpringFactoriesLoader.FailureHandler.logging(org.apache.commons.logging.LogFactory.getLog("test"))))
			.hasAtLeastOneElementOfType(GrpcServerPropertyFailureAnalyzer.class);
	}

	private static String ours(String path) throws IOException {
		String location = GrpcLoopServerAutoConfiguration.class.getProtectionDomain().getCodeSource().getLocation()
				+ path;
		try (InputStream stream = new org.springframework.core.io.UrlResource(location).getInputStream()) {
			return new String(stream.readAllBytes(), StandardCharsets.UTF_8);
		}
	}

}
