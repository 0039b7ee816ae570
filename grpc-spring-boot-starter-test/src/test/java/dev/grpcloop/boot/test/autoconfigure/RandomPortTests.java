package dev.grpcloop.boot.test.autoconfigure;

import java.util.List;
import java.util.Map;

import dev.grpcloop.boot.server.ServerMode;
import dev.grpcloop.boot.test.sample.TestedApplication;
import org.junit.jupiter.api.Test;

import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.context.SpringBootTest.WebEnvironment;
import org.springframework.context.support.GenericApplicationContext;
import org.springframework.core.env.ConfigurableEnvironment;
import org.springframework.core.env.MapPropertySource;
import org.springframework.core.env.StandardEnvironment;
import org.springframework.test.context.ContextCustomizer;
import org.springframework.test.context.DynamicPropertyRegistry;
import org.springframework.test.context.DynamicPropertySource;
import org.springframework.test.context.MergedContextConfiguration;
import org.springframework.test.context.TestContextManager;
import org.springframework.test.context.TestPropertySource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mockito.Mockito.mock;

/**
 * The application's own port is 9090.
 */
class RandomPortTests {

	private final GrpcTestContextCustomizerFactory factory = new GrpcTestContextCustomizerFactory();

	@Test
	void aTestTakesAFreePortWhateverItsWebEnvironment() {
		assertThat(port(Mocked.class)).isEqualTo("0");
		assertThat(port(OnRandomPort.class)).isEqualTo("0");
		assertThat(port(WithoutWeb.class)).isEqualTo("0");
	}

	@Test
	void aTestOnDefinedPortsTakesThePortOfTheApplication() {
		assertThat(port(OnDefinedPort.class)).isEqualTo("9090");
	}

	@Test
	void whatTheTestSetsItselfCountsForMore() {
		assertThat(startedPort(OnPortOfItsOwn.class)).isEqualTo("127");
		assertThat(startedPort(OnPortOfItsFile.class)).isEqualTo("128");
		assertThat(startedPort(OnDynamicPort.class)).isEqualTo("129");
		assertThat(startedPort(OnPortOfArguments.class)).isEqualTo("130");
	}

	@Test
	void whatTheProcessIsToldCountsForLess() {
		StandardEnvironment environment = new StandardEnvironment();
		environment.getPropertySources()
			.replace(StandardEnvironment.SYSTEM_ENVIRONMENT_PROPERTY_SOURCE_NAME,
					new MapPropertySource(StandardEnvironment.SYSTEM_ENVIRONMENT_PROPERTY_SOURCE_NAME,
							Map.of(property(), "tcp://10.0.0.1:9090")));
		assertThat(port(Mocked.class, environment)).isEqualTo("0");
	}

	@Test
	void testsThatDifferInNothingElseShareAContext() {
		assertThat(customizer(Mocked.class)).isEqualTo(customizer(OnRandomPort.class))
			.hasSameHashCodeAs(customizer(OnRandomPort.class))
			.isNotEqualTo(customizer(OnDefinedPort.class));
	}

	private ContextCustomizer customizer(Class<?> testClass) {
		return this.factory.createContextCustomizer(testClass, List.of());
	}

	private static String property() {
		return ServerMode.of(RandomPortTests.class.getClassLoader()).property("port");
	}

	/** The port in a context that has not read the files of the application yet. */
	private String port(Class<?> testClass) {
		StandardEnvironment environment = new StandardEnvironment();
		environment.getPropertySources().addLast(new MapPropertySource("application.yml", Map.of(property(), "9090")));
		return port(testClass, environment);
	}

	private String port(Class<?> testClass, ConfigurableEnvironment environment) {
		try (GenericApplicationContext context = new GenericApplicationContext()) {
			context.setEnvironment(environment);
			customizer(testClass).customizeContext(context, mock(MergedContextConfiguration.class));
			return environment.getRequiredProperty(property());
		}
	}

	/** The port in a context as the test framework makes it. */
	private static String startedPort(Class<?> testClass) {
		return new TestContextManager(testClass).getTestContext()
			.getApplicationContext()
			.getEnvironment()
			.getRequiredProperty(property());
	}

	@SpringBootTest(classes = TestedApplication.class)
	static class Mocked {

	}

	@SpringBootTest(classes = TestedApplication.class, webEnvironment = WebEnvironment.RANDOM_PORT)
	static class OnRandomPort {

	}

	@SpringBootTest(classes = TestedApplication.class, webEnvironment = WebEnvironment.NONE)
	static class WithoutWeb {

	}

	@SpringBootTest(classes = TestedApplication.class, webEnvironment = WebEnvironment.DEFINED_PORT)
	static class OnDefinedPort {

	}

	@SpringBootTest(classes = Empty.class, properties = { "grpc.server.port=127", "spring.grpc.server.port=127" })
	static class OnPortOfItsOwn {

	}

	@SpringBootTest(classes = Empty.class)
	@TestPropertySource("ports.properties")
	static class OnPortOfItsFile {

	}

	@SpringBootTest(classes = Empty.class)
	static class OnDynamicPort {

		@DynamicPropertySource
		static void port(DynamicPropertyRegistry registry) {
			registry.add(property(), () -> "129");
		}

	}

	@SpringBootTest(classes = Empty.class, args = { "--grpc.server.port=130", "--spring.grpc.server.port=130" })
	static class OnPortOfArguments {

	}

	/** An application without a server. */
	static class Empty {

	}

}
