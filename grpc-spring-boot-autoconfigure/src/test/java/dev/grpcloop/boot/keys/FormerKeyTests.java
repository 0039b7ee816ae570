package dev.grpcloop.boot.keys;

import java.util.Map;

import dev.grpcloop.boot.testsupport.BesideSpringBoot;
import dev.grpcloop.boot.testsupport.TestApplications;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import org.springframework.beans.factory.support.DefaultListableBeanFactory;
import org.springframework.boot.diagnostics.FailureAnalyzedException;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.core.env.MapPropertySource;
import org.springframework.core.env.StandardEnvironment;
import org.springframework.core.env.SystemEnvironmentPropertySource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests for {@link KeyCheck}: keys of other starters.
 */
@ExtendWith(OutputCaptureExtension.class)
class FormerKeyTests {

	private static final String HEADING = "Properties of another gRPC starter are set and have no effect.";

	private final StandardEnvironment environment = new StandardEnvironment();

	@ParameterizedTest
	@CsvSource(delimiter = '|', textBlock = """
			grpc.server.shutdown-grace-period             | grpc.server.shutdown.grace-period
			grpc.server.shutdownGracePeriod               | grpc.server.shutdown.grace-period
			grpc.server.keep-alive-time                   | grpc.server.keepalive.time
			grpc.server.permit-keep-alive-without-calls   | grpc.server.keepalive.permit.without-calls
			grpc.server.max-inbound-message-size          | grpc.server.inbound.message.max-size
			grpc.metrics-a66-enabled                      | grpc.server.metrics.additional-names
			grpc.port                                     | grpc.server.port
			grpc.shutdownGrace                            | grpc.server.shutdown.grace-period
			grpc.nettyServer.maxConnectionIdle            | grpc.server.keepalive.connection.max-idle-time
			grpc.netty-server.primary-listen-address      | grpc.server.address and grpc.server.port
			spring.grpc.server.port                       | grpc.server.port
			spring.grpc.server.keepalive.permit.time      | grpc.server.keepalive.permit.time
			spring.grpc.server.keep-alive.time            | grpc.server.keepalive.time
			spring.grpc.server.keep-alive.permit-time     | grpc.server.keepalive.permit.time
			spring.grpc.server.host                       | grpc.server.address
			spring.grpc.server.observation.enabled        | grpc.server.observation.enabled
			spring.grpc.server.observations.enabled       | grpc.server.observation.enabled
			""")
	void aFormerKeyIsNamedWithWhatToWriteInstead(String former, String now, CapturedOutput output) {
		set(Map.of(former, "1"));
		check();
		assertThat(output).contains(HEADING)
			.contains(former + " (test): write " + now)
			.doesNotContain("no properties of the gRPC server");
		assertThat(output.getOut().lines().filter((line) -> line.contains(former))).hasSize(1);
	}

	@Test
	void oneWarningNamesThemAllWithWhatIsDifferent(CapturedOutput output) {
		set(Map.of("grpc.server.enable-keep-alive", "true", "grpc.server.max-connection-age-grace", "5s",
				"grpc.consul.discovery.tags[0]", "x", "grpc.netty-server.additional-listen-addresses[0]", "h:1",
				"spring.grpc.server.servlet.enabled", "true"));
		check();
		assertThat(output.getOut().lines().filter((line) -> line.contains("WARN"))).hasSize(1);
		assertThat(output).contains("enable-keep-alive (test): leave it out (the server always watches")
			.contains("keepalive.connection.grace-period (30s unless it is set; was without limit)")
			.contains("grpc.consul.discovery.tags[0] (test): leave it out")
			.contains("additional-listen-addresses[0] (test): leave it out (the server listens on one address)")
			.contains("spring.grpc.server.servlet.enabled (test): leave it out")
			.doesNotContain("security");
	}

	@Test
	@BesideSpringBoot
	void besideSpringBootsStarterItsOwnKeysAreRightAndNamed(CapturedOutput output) {
		set(Map.of("spring.grpc.server.keepalive.time", "1h", "spring.grpc.server.keep-alive.timeout", "9s",
				"spring.grpc.server.servlet.enabled", "true", "spring.grpc.server.shutdown-grace-period", "5s",
				"grpc.server.shutdown-grace-period", "5s", "grpc.netty-server.max-concurrent-calls-per-connection",
				"5"));
		check();
		assertThat(output)
			.contains("spring.grpc.server.shutdown-grace-period (test): write spring.grpc.server.shutdown.grace-period")
			.contains("grpc.server.shutdown-grace-period (test): write spring.grpc.server.shutdown.grace-period")
			.contains("write grpc.server.max-concurrent-calls-per-connection")
			.doesNotContain("1h")
			.doesNotContain("keepalive")
			.doesNotContain("servlet");
	}

	@Test
	void aFormerKeyInTheEnvironmentIsNamedToo(CapturedOutput output) {
		this.environment.getPropertySources()
			.replace("systemEnvironment", new SystemEnvironmentPropertySource("systemEnvironment",
					Map.of("GRPC_SERVER_SHUTDOWNGRACEPERIOD", "5")));
		check();
		assertThat(output).contains("GRPC_SERVER_SHUTDOWNGRACEPERIOD").contains("grpc.server.shutdown.grace-period");
	}

	@Test
	void aServiceOfKubernetesIsNoFormerKey(CapturedOutput output) {
		this.environment.getPropertySources()
			.replace("systemEnvironment", new SystemEnvironmentPropertySource("systemEnvironment",
					Map.of("GRPC_PORT", "tcp://10.0.0.1:6565")));
		check();
		assertThat(output).doesNotContain("WARN");
	}

	@Test
	void aKeyOfTheApplicationsOwnIsLeftAlone(CapturedOutput output) {
		set(Map.of("grpc.port", "7", "grpc.server.port", "${grpc.port}"));
		check();
		assertThat(output).doesNotContain("WARN");
	}

	@ParameterizedTest
	@CsvSource({ "grpc.server.security.enabled,true", "grpc.server.security.certificateChain,file:server.crt",
			"grpc.server.security.key-store,classpath:keys.p12", "grpc.security.cert-chain,file:server.crt",
			"grpc.server.security.enabled,${no.tls:true}" })
	void aKeyThatAsksForTlsStopsTheStart(String key, String value) {
		set(Map.of(key, value));
		assertThatExceptionOfType(FailureAnalyzedException.class).isThrownBy(this::check)
			.satisfies((failure) -> assertThat(failure.analysis().getDescription()).contains("TLS is asked for")
				.contains(key + " (test)"))
			.satisfies((failure) -> assertThat(failure.analysis().getAction()).contains("remove these properties"));
	}

	@Test
	void aVariableOfTheEnvironmentThatAsksForTlsStopsTheStart() {
		this.environment.getPropertySources()
			.replace("systemEnvironment", new SystemEnvironmentPropertySource("systemEnvironment",
					Map.of("GRPC_SERVER_SECURITY_ENABLED", "true")));
		assertThatExceptionOfType(FailureAnalyzedException.class).isThrownBy(this::check)
			.satisfies((failure) -> assertThat(failure.analysis().getDescription())
				.contains("GRPC_SERVER_SECURITY_ENABLED"));
	}

	@Test
	void tlsThatIsSwitchedOffIsNotAskedFor(CapturedOutput output) {
		set(Map.of("grpc.server.security.enabled", "${tls:false}", "grpc.server.security.certificate-chain", "x"));
		check();
		assertThat(output).contains("grpc.server.security.enabled (test): leave it out");
	}

	@Test
	void anApplicationThatAsksForTlsDoesNotStart() {
		TestApplications.runner()
			.withPropertyValues("grpc.server.security.enabled=true")
			.run((context) -> assertThat(context).hasFailed()
				.getFailure()
				.isInstanceOf(FailureAnalyzedException.class));
	}

	private void set(Map<String, Object> properties) {
		this.environment.getPropertySources().addFirst(new MapPropertySource("test", properties));
	}

	private void check() {
		new KeyCheck(this.environment).postProcessBeanFactory(new DefaultListableBeanFactory());
	}

}
