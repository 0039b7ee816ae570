package dev.grpcloop.boot.keys;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

import dev.grpcloop.boot.testsupport.BesideSpringBoot;
import dev.grpcloop.boot.testsupport.TestApplications;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.beans.factory.support.DefaultListableBeanFactory;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.env.CompositePropertySource;
import org.springframework.core.env.MapPropertySource;
import org.springframework.core.env.StandardEnvironment;
import org.springframework.core.env.SystemEnvironmentPropertySource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link KeyCheck}: keys that nobody reads.
 */
@ExtendWith(OutputCaptureExtension.class)
class KeyCheckTests {

	private static final String HEADING = "These are no properties of the gRPC server.";

	private final StandardEnvironment environment = new StandardEnvironment();

	@ParameterizedTest
	@CsvSource({ "grpc.server.worker,grpc.server.workers", "grpc.server.Workres,grpc.server.workers",
			"grpc.sever.port,grpc.server.port", "grcp.server.port,grpc.server.port",
			"grpc.servers.port,grpc.server.port", "gprc.server.prot,grpc.server.port",
			"grpc.server.executor.max-thread,grpc.server.executor.max-threads",
			"grpc.server.executor.maxThread,grpc.server.executor.max-threads",
			"grpc.server.executor.threads,grpc.server.executor.max-threads",
			"grpc.server.max-concurrent-calls,grpc.server.max-concurrent-calls-per-connection",
			"grpc.server.message.max-size,grpc.server.inbound.message.max-size",
			"grpc.server.stall_timeout,grpc.server.flow-control.stall-timeout",
			"grpc.server.metrics,grpc.server.metrics.enabled" })
	void aKeyThatIsAlmostRightIsNamedWithTheRightOne(String wrong, String right, CapturedOutput output) {
		set(Map.of(wrong, "1"));
		check();
		assertThat(output).contains(HEADING).contains(wrong + " (test): did you mean " + right + "?");
	}

	@Test
	void severalKeysThatMayBeMeantAreAllNamed(CapturedOutput output) {
		set(Map.of("grpc.server.max-size", "1"));
		check();
		assertThat(output)
			.contains("did you mean grpc.server.inbound.message.max-size or grpc.server.inbound.metadata.max-size?");
	}

	@Test
	void aKeyLikeNoneIsNamedToo(CapturedOutput output) {
		set(Map.of("grpc.server.colour-of-the-sky", "blue"));
		check();
		assertThat(output).contains("grpc.server.colour-of-the-sky (test): no property is like it");
	}

	@Test
	void oneWarningNamesAllKeysOnce(CapturedOutput output) {
		set(Map.of("grpc.server.worker", "1", "grpc.sever.port", "1"));
		this.environment.getPropertySources()
			.addLast(new MapPropertySource("defaults", Map.of("grpc.server.worker", "2")));
		check();
		assertThat(output.getOut().lines().filter((line) -> line.contains("WARN"))).hasSize(1);
		assertThat(output.getOut().lines().filter((line) -> line.contains("grpc.server.worker "))).hasSize(1);
	}

	@ParameterizedTest
	@ValueSource(strings = { "grpc.server.port", "grpc.server.maxConcurrentCallsPerConnection",
			"grpc.server.max_concurrent_calls_per_connection", "GRPC.SERVER.PORT", "grpc.client.port", "grpc.channel",
			"rpc.server.port", "http.server.port", "grpc.service.port", "server.port", "spring.grpc.client.port",
			"greeting", "grpc", "grpc.server", "gpu.server.port", "grpc.servlet.colour" })
	void otherKeysAreLeftAlone(String key, CapturedOutput output) {
		set(Map.of(key, "9090"));
		check();
		assertThat(output).doesNotContain("WARN");
	}

	@Test
	void aGroupOfWhichNothingIsSetIsLeftAlone(CapturedOutput output) {
		set(Map.of("grpc.server.executor", "", "grpc.server.keepalive.permit", ""));
		check();
		assertThat(output).doesNotContain("WARN");
	}

	@Test
	void variablesOfTheEnvironmentAreNotLookedAt(CapturedOutput output) {
		this.environment.getPropertySources()
			.replace("systemEnvironment",
					new SystemEnvironmentPropertySource("systemEnvironment",
							Map.of("GRPC_SERVER_SERVICE_HOST", "10.0.0.1", "GRPC_SERVER_PORT_9090_TCP",
									"tcp://10.0.0.1:9090", "GRPC_SERVER_WORKER", "1", "grpc.server.worker", "1")));
		check();
		assertThat(output).doesNotContain("WARN");
	}

	@Test
	void systemPropertiesAreLookedAt(CapturedOutput output) {
		System.setProperty("grpc.server.workes", "1");
		try {
			check();
		}
		finally {
			System.clearProperty("grpc.server.workes");
		}
		assertThat(output).contains("grpc.server.workes").contains("did you mean grpc.server.workers?");
	}

	@Test
	void sourcesWithinSourcesAreLookedAt(CapturedOutput output) {
		CompositePropertySource composite = new CompositePropertySource("composite");
		composite.addPropertySource(new MapPropertySource("inner", Map.of("grpc.server.worker", "1")));
		this.environment.getPropertySources().addFirst(composite);
		check();
		assertThat(output).contains("grpc.server.worker (inner): did you mean grpc.server.workers?");
	}

	@Test
	@BesideSpringBoot
	void keysOfSpringBootsStarterAreCheckedWhereItIsThere(CapturedOutput output) {
		set(Map.of("spring.grpc.server.prot", "1", "spring.grpc.sever.port", "1", "spring.grpc.server.worker", "1",
				"spring.grpc.server.workers", "1", "spring.grpc.server.health.service.greeter.include", "db"));
		check();
		assertThat(output).contains("spring.grpc.server.prot (test): did you mean spring.grpc.server.port?")
			.contains("spring.grpc.sever.port (test): did you mean spring.grpc.server.port?")
			.contains("spring.grpc.server.worker (test): did you mean grpc.server.workers?")
			.doesNotContain("spring.grpc.server.workers (")
			.doesNotContain("greeter");
	}

	@Test
	void placeholdersThatCannotBeResolvedAreNoFault(CapturedOutput output) {
		set(Map.of("grpc.server.worker", "${no.such.key}"));
		check();
		assertThat(output).contains("did you mean grpc.server.workers?");
	}

	@Test
	void filesArgumentsAndProfilesAreLookedAt(@TempDir Path directory, CapturedOutput output) throws Exception {
		Files.writeString(directory.resolve("application.yml"), "grpc:\n  server:\n    worker: 1\n");
		Files.writeString(directory.resolve("application-blue.properties"), "grpc.server.prot=1");
		Files.createDirectories(directory.resolve("tree/grpc/server"));
		Files.writeString(directory.resolve("tree/grpc/server/backnd"), "nio");
		TestApplications
			.builder(Application.class, "spring.config.location=" + directory.toUri(),
					"spring.config.import=configtree:" + directory.resolve("tree") + "/")
			.profiles("blue")
			.run("--grpc.server.guard.reset=1")
			.close();
		assertThat(output.getOut().lines().filter((line) -> line.contains(HEADING))).hasSize(1);
		assertThat(output).containsPattern("grpc\\.server\\.worker \\(.*application.yml.* - 3:13\\): did you mean")
			.containsPattern("grpc\\.server\\.prot \\(.*application-blue.properties.* - 1:18\\): did you mean")
			.containsPattern("grpc\\.server\\.backnd \\(.*backnd.*\\): did you mean grpc\\.server\\.backend\\?")
			.contains("grpc.server.guard.reset (commandLineArgs): did you mean");
	}

	@Test
	void allKeysOfTheMetadataAreKnown() {
		KnownKeys keys = KnownKeys.of("grpc.server.", KeyCheck.class.getName(), getClass().getClassLoader());
		assertThat(keys.tails()).contains("port", "executor.mode", "keepalive.permit.withoutcalls")
			.doesNotContain("executor");
	}

	@Test
	@BesideSpringBoot
	void anotherJarsKeysAreKnownIfItDescribesThem() {
		KnownKeys keys = KnownKeys.everywhere("spring.grpc.", getClass().getClassLoader());
		assertThat(List.of("spring.grpc.server.port", "spring.grpc.server.health.service.x.include"))
			.allMatch((key) -> keys.has(Spelling.uniform(key)));
	}

	@Test
	void aJarThatIsNotThereHasNoKeys() {
		assertThat(KnownKeys.of("grpc.server.", "no.such.Type", getClass().getClassLoader()).isEmpty()).isTrue();
	}

	private void set(Map<String, Object> properties) {
		this.environment.getPropertySources().addFirst(new MapPropertySource("test", properties));
	}

	private void check() {
		new KeyCheck(this.environment).postProcessBeanFactory(new DefaultListableBeanFactory());
	}

	@Configuration(proxyBeanMethods = false)
	static class Application {

	}

}
