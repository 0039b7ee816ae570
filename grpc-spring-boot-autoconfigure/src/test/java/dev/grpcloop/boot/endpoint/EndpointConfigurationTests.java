package dev.grpcloop.boot.endpoint;

import java.lang.management.ManagementFactory;
import java.util.List;
import java.util.Map;

import javax.management.MBeanServer;
import javax.management.ObjectName;

import dev.grpcloop.boot.autoconfigure.GrpcServerProperties;
import dev.grpcloop.boot.testsupport.GreeterClient;
import dev.grpcloop.boot.testsupport.GreeterService;
import dev.grpcloop.boot.testsupport.TestApplications;
import dev.grpcloop.engine.EventLoopServerBuilder;
import dev.grpcloop.engine.telemetry.EngineTelemetry;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import org.springframework.boot.actuate.autoconfigure.endpoint.EndpointAutoConfiguration;
import org.springframework.boot.actuate.autoconfigure.endpoint.jmx.JmxEndpointAutoConfiguration;
import org.springframework.boot.actuate.info.Info;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.autoconfigure.jmx.JmxAutoConfiguration;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.ApplicationContext;
import org.springframework.grpc.server.ServerBuilderCustomizer;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * When there is an endpoint, and what it tells of a real server.
 */
@Timeout(60)
class EndpointConfigurationTests {

	private static final String EXPOSED = "management.endpoints.web.exposure.include=grpc";

	private final ApplicationContextRunner runner = TestApplications.runner()
		.withBean(GreeterService.class)
		.withConfiguration(AutoConfigurations.of(EndpointAutoConfiguration.class));

	@Test
	void anEndpointThatIsNotExposedIsNotThere() {
		this.runner.run((context) -> assertThat(context).hasNotFailed()
			.doesNotHaveBean(GrpcEndpoint.class)
			.doesNotHaveBean(GrpcEndpointWebExtension.class)
			.doesNotHaveBean(RecentActivity.class));
		this.runner.withPropertyValues(EXPOSED, "management.endpoint.grpc.access=NONE")
			.run((context) -> assertThat(context).hasNotFailed().doesNotHaveBean(GrpcEndpoint.class));
	}

	@Test
	void anEndpointOfAServerThatIsSwitchedOffIsNotThere() {
		this.runner.withPropertyValues(EXPOSED, "grpc.server.enabled=false")
			.run((context) -> assertThat(context).hasNotFailed().doesNotHaveBean(GrpcEndpoint.class));
	}

	@Test
	void withoutTheActuatorTheServerStarts() {
		TestApplications.runner()
			.withPropertyValues(EXPOSED, "management.info.grpc.enabled=true")
			.withClassLoader(
					new FilteredClassLoader("org.springframework.boot.actuate", "org.springframework.boot.health"))
			.run((context) -> assertThat(context).hasNotFailed()
				.hasSingleBean(GrpcServerProperties.class)
				.doesNotHaveBean("grpcLoopEndpoint")
				.doesNotHaveBean("grpcServerHealthIndicator"));
	}

	@Test
	void aRunningServerIsTold() {
		this.runner.withPropertyValues(EXPOSED, "grpc.server.executor.mode=platform", "grpc.server.backend=nio")
			.run((context) -> {
				try (GreeterClient client = GreeterClient.of(context)) {
					client.hello("Ada");
					Awaitility.await()
						.untilAsserted(() -> assertThat(method(report(context), "Hello").closed()).isOne());
					GrpcReport report = report(context);
					int port = context.getEnvironment().getRequiredProperty("local.grpc.server.port", Integer.class);
					assertThat(report.server()).satisfies((server) -> {
						assertThat(server.state()).isEqualTo("running");
						assertThat(server.addresses()).containsExactly("127.0.0.1:" + port);
						assertThat(server.port()).isEqualTo(port);
						assertThat(server.backend()).isEqualTo("nio");
						assertThat(server.backendReason()).isNotBlank();
						assertThat(server.workers()).isOne();
						assertThat(server.executor()).contains("a pool of up to 200 threads");
						assertThat(server.startedAt()).isNotNull();
					});
					assertThat(report.uncounted()).isNull();
					assertThat(report.connections().open()).isOne();
					assertThat(report.loops()).singleElement()
						.satisfies((loop) -> assertThat(loop.pendingTasks()).isNotNegative());
					assertThat(method(report, "Hello").runsOn()).isEqualTo("executor");
					assertThat(method(report, "Chat").closed()).isZero();
					assertThat(report.services()).extracting(ServiceReport::name)
						.contains("test.v1.Greeter", "grpc.reflection.v1.ServerReflection")
						.isSorted();
					assertThat(report.clients()).isNull();
				}
			});
	}

	/** Whoever has set them: the properties, a customizer or nobody. */
	@Test
	void theLimitsAreThoseInForce() {
		this.runner
			.withPropertyValues(EXPOSED, "grpc.server.executor.mode=platform", "grpc.server.guard.resets=77",
					"grpc.server.inbound.message.max-size=5MB")
			.withBean(ServerBuilderCustomizer.class,
					() -> (ServerBuilderCustomizer<EventLoopServerBuilder>) (builder) -> builder
						.flowControlWindow(70_000))
			.run((context) -> assertThat(report(context).limits()).hasSize(27)
				.containsEntry("grpc.server.guard.resets", 77)
				.containsEntry("grpc.server.inbound.message.max-size", 5 * 1024 * 1024)
				.containsEntry("grpc.server.flow-control.window", 70_000)
				.containsEntry("grpc.server.executor.max-threads", 200)
				.containsEntry("grpc.server.executor.blocked-threshold", 0.1)
				.containsEntry("grpc.server.keepalive.connection.grace-period", 30.0)
				.containsEntry("grpc.server.keepalive.connection.max-age", "unlimited"));
	}

	@Test
	void clientsAreShownToAllIfTheyAreToBe() {
		this.runner.withPropertyValues(EXPOSED, "management.endpoint.grpc.show-values=always").run((context) -> {
			try (GreeterClient client = GreeterClient.of(context)) {
				client.hello("Ada");
				assertThat(report(context).clients()).containsExactly(new ClientReport("127.0.0.1", 1));
			}
		});
	}

	@Test
	void withoutCountsItSaysWhy() {
		this.runner.withPropertyValues(EXPOSED, "grpc.server.metrics.enabled=false").run((context) -> {
			GrpcReport report = report(context);
			assertThat(report.uncounted()).contains("grpc.server.metrics.enabled is false");
			assertThat(report.server().state()).isEqualTo("running");
			assertThat(method(report, "Hello")).isEqualTo(new MethodReport("Hello", "UNARY", "executor", null, null,
					null, null, null, null, null, null, null, null));
			assertThat(report.calls()).isNull();
		});
		this.runner.withPropertyValues(EXPOSED)
			.withBean(EngineTelemetry.class, () -> EngineTelemetry.NOOP)
			.run((context) -> assertThat(report(context).uncounted()).contains("EngineTelemetry bean"));
	}

	@Test
	void overJmxThereIsOneOperationThatReads() {
		this.runner
			.withConfiguration(AutoConfigurations.of(JmxAutoConfiguration.class, JmxEndpointAutoConfiguration.class))
			.withPropertyValues("management.endpoints.jmx.exposure.include=grpc", "spring.jmx.enabled=true",
					"management.endpoints.web.exposure.exclude=grpc")
			.run((context) -> {
				assertThat(context).doesNotHaveBean(GrpcEndpointWebExtension.class);
				MBeanServer server = ManagementFactory.getPlatformMBeanServer();
				ObjectName name = new ObjectName("org.springframework.boot:type=Endpoint,name=Grpc");
				assertThat(server.getMBeanInfo(name).getOperations()).extracting((operation) -> operation.getName())
					.containsExactly("grpc");
				Object report = server.invoke(name, "grpc", new Object[0], new String[0]);
				assertThat(report).asInstanceOf(org.assertj.core.api.InstanceOfAssertFactories.MAP)
					.containsKeys("server", "services", "limits")
					.containsEntry("clients", null);
			});
	}

	@Test
	void theInformationIsOffUnlessItIsSwitchedOn() {
		this.runner.run((context) -> assertThat(context).doesNotHaveBean(GrpcInfoContributor.class));
		this.runner.withPropertyValues("management.info.grpc.enabled=true").run((context) -> {
			Info.Builder builder = new Info.Builder();
			context.getBean(GrpcInfoContributor.class).contribute(builder);
			assertThat(builder.build().getDetails()).containsOnlyKeys("grpc");
			@SuppressWarnings("unchecked")
			Map<String, Object> details = (Map<String, Object>) builder.build().get("grpc");
			assertThat(details).containsOnlyKeys("versions", "backend", "workers", "executor");
			assertThat(details.get("versions")).asString().contains("netty=", "grpc-java=");
		});
	}

	private static GrpcReport report(ApplicationContext context) {
		return context.getBean(GrpcEndpoint.class).grpc();
	}

	private static MethodReport method(GrpcReport report, String name) {
		List<ServiceReport> services = report.services();
		return services.stream()
			.filter((service) -> service.name().equals("test.v1.Greeter"))
			.flatMap((service) -> service.methods().stream())
			.filter((method) -> name.equals(method.name()))
			.findFirst()
			.orElseThrow();
	}

}
