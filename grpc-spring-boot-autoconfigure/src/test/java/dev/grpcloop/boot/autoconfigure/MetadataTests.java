package dev.grpcloop.boot.autoconfigure;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import com.jayway.jsonpath.JsonPath;
import dev.grpcloop.boot.testsupport.BesideSpringBoot;
import org.junit.jupiter.api.Test;

import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.core.io.support.SpringFactoriesLoader;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The files that the annotation processors write: what users see in their editors, and
 * what lets Spring Boot skip a configuration without loading it.
 */
class MetadataTests {

	/** A property, and its default if that is a constant. */
	private static final Map<String, String> PROPERTIES = """
			access-log.enabled = false
			access-log.format = text
			access-log.queue-capacity = 10000
			address
			backend = auto
			enabled = true
			executor.blocked-threshold = 100ms
			executor.max-threads = 200
			executor.mode = auto
			executor.queue-capacity = 10000
			factory.enabled = true
			flow-control.max-buffered
			flow-control.max-buffered-per-call = 64MB
			flow-control.stall-timeout = 60s
			flow-control.window = 1MB
			guard.control-frames = 120000
			guard.empty-frames = 100
			guard.period = 30s
			guard.protocol-faults = 200
			guard.resets = 200
			guard.settings = 1000
			guard.small-continuations = 16
			guard.tiny-frames = 1000
			handshake-timeout = 20s
			health.enabled
			health.include-overall-health = true
			health.schedule.delay = 5s
			health.schedule.enabled = true
			health.schedule.period = 5s
			health.service
			health.services.validate-membership = true
			health.status.mapping
			health.status.order
			inbound.headers-timeout = 30s
			inbound.message.max-size = 4MB
			inbound.metadata.max-size = 8KB
			inprocess.name
			keepalive.connection.grace-period = 30s
			keepalive.connection.max-age
			keepalive.connection.max-idle-time
			keepalive.permit.time = 5m
			keepalive.permit.without-calls = false
			keepalive.time = 2h
			keepalive.timeout = 20s
			max-concurrent-calls-per-connection = 1000
			metrics.additional-names
			metrics.enabled = true
			observation.enabled = true
			observation.recorder = auto
			port = 9090
			reflection.enabled = true
			shutdown.drain-delay = 0
			shutdown.grace-period = 30s
			validation.enabled = true
			workers
			""".lines()
		.map((line) -> line.split(" = "))
		.collect(Collectors.toMap((line) -> "grpc.server." + line[0], (line) -> (line.length > 1) ? line[1] : ""));

	/** Those of the actuator, in its names and with its words. */
	private static final Map<String, String> ACTUATOR_PROPERTIES = Map.of("management.endpoint.grpc.access",
			"read_only", "management.endpoint.grpc.cache.time-to-live", "0ms", "management.endpoint.grpc.roles", "",
			"management.endpoint.grpc.show-values", "never", "management.health.grpcserver.enabled", "true",
			"management.info.grpc.enabled", "false");

	@Test
	void everyPropertyIsDescribed() throws IOException {
		List<Map<String, Object>> properties = JsonPath.read(ours("META-INF/spring-configuration-metadata.json"),
				"$.properties");
		assertThat(properties).extracting((property) -> (String) property.get("name"))
			.hasSameElementsAs(
					Stream.concat(PROPERTIES.keySet().stream(), ACTUATOR_PROPERTIES.keySet().stream()).toList());
		assertThat(properties)
			.allSatisfy((property) -> assertThat(property.get("description")).asString().isNotBlank());
	}

	@Test
	void defaultsAreShown() throws IOException {
		List<Map<String, Object>> properties = JsonPath.read(ours("META-INF/spring-configuration-metadata.json"),
				"$.properties");
		assertThat(properties)
			.allSatisfy((property) -> assertThat(String.valueOf(property.getOrDefault("defaultValue", "")))
				.as((String) property.get("name"))
				.isEqualTo(
						PROPERTIES.getOrDefault(property.get("name"), ACTUATOR_PROPERTIES.get(property.get("name")))));
	}

	@Test
	void everyPropertySaysWhatIsAllowed() {
		assertThat(PROPERTIES.keySet()).allSatisfy((key) -> assertThat(AllowedValues.of(key)).isNotBlank());
	}

	@Test
	void theAutoConfigurationIsListedWithItsConditions() throws IOException {
		String name = GrpcLoopServerAutoConfiguration.class.getName();
		assertThat(ours("META-INF/spring/org.springframework.boot.autoconfigure.AutoConfiguration.imports").lines())
			.containsExactly(GrpcLoopSecurityAutoConfiguration.class.getName(), name);
		Properties conditions = new Properties();
		conditions.load(new java.io.StringReader(ours("META-INF/spring-autoconfigure-metadata.properties")));
		assertThat(conditions.getProperty(name + ".ConditionalOnClass")).contains("EventLoopServer",
				"GrpcServerFactory");
		assertThat(conditions.getProperty(name + ".AutoConfigureAfter"))
			.contains("org.springframework.boot.micrometer.metrics.autoconfigure.MetricsAutoConfiguration");
		assertThat(conditions.getProperty(name + ".AutoConfigureBefore"))
			.contains("org.springframework.boot.grpc.server.autoconfigure.GrpcServerAutoConfiguration");
	}

	@Test
	@BesideSpringBoot
	void theClassesThatOursComesBeforeAndAfterExist() {
		AutoConfiguration ours = GrpcLoopServerAutoConfiguration.class.getAnnotation(AutoConfiguration.class);
		for (String[] names : List.of(ours.beforeName(), ours.afterName())) {
			assertThat(names).isNotEmpty().allSatisfy((name) -> assertThat(Class.forName(name)).isNotNull());
		}
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
