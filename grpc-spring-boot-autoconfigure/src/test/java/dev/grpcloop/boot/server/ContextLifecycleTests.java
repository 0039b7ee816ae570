package dev.grpcloop.boot.server;

import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

import dev.grpcloop.boot.autoconfigure.GrpcLoopServerAutoConfiguration;
import dev.grpcloop.boot.test.v1.FarewellGrpc;
import dev.grpcloop.boot.testsupport.GreeterClient;
import dev.grpcloop.boot.testsupport.GreeterService;
import dev.grpcloop.boot.testsupport.ServerThreads;
import dev.grpcloop.boot.testsupport.TestApplications;
import io.grpc.BindableService;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

import org.springframework.beans.factory.support.DefaultListableBeanFactory;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.boot.test.util.TestPropertyValues;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.AnnotatedBeanDefinitionReader;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.context.event.EventListener;
import org.springframework.context.support.AbstractRefreshableApplicationContext;
import org.springframework.grpc.server.lifecycle.GrpcServerLifecycle;
import org.springframework.grpc.server.lifecycle.GrpcServerStartedEvent;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The server in the life of its context, its parents and children (case B51).
 */
@Timeout(60)
@ExtendWith(OutputCaptureExtension.class)
class ContextLifecycleTests {

	@AfterEach
	void noThreadIsLeft() {
		ServerThreads.awaitNone();
	}

	@Test
	void anotherStartOnAFreePortTellsTheNewOne() throws Exception {
		try (ConfigurableApplicationContext context = TestApplications.run(Application.class)) {
			int first = port(context);
			context.stop();
			try (ServerSocket taken = new ServerSocket(first, 1, InetAddress.getByName("127.0.0.1"))) {
				context.start();
				assertThat(port(context)).isNotEqualTo(taken.getLocalPort())
					.isEqualTo(context.getBean(EventLoopGrpcServerLifecycle.class).getPort());
				assertThat(context.getBean(Application.class).ports).containsExactly(first, port(context));
				try (GreeterClient client = GreeterClient.of(context)) {
					assertThat(client.hello("Ada")).isEqualTo("Hello Ada");
				}
			}
		}
	}

	@Test
	void aContextThatIsRefreshedAgainServesOnTheSamePort() throws Exception {
		int port = freePort();
		try (RefreshableContext context = new RefreshableContext(port)) {
			for (int i = 0; i < 3; i++) {
				context.refresh();
				try (GreeterClient client = GreeterClient.of(context)) {
					assertThat(client.hello("Ada")).isEqualTo("Hello Ada");
				}
				assertThat(port(context)).isEqualTo(port);
				assertThat(ServerThreads.names()).filteredOn((name) -> name.startsWith("grpc-server"))
					.containsExactly("grpc-server-await");
			}
		}
	}

	@Test
	void aChildContextStartsNoSecondServer() throws Exception {
		try (ConfigurableApplicationContext parent = TestApplications.run(Application.class);
				GreeterClient client = GreeterClient.of(parent)) {
			int port = port(parent);
			try (ConfigurableApplicationContext child = new SpringApplicationBuilder(Child.class)
				.web(WebApplicationType.NONE)
				.properties("grpc.server.port=0")
				.parent(parent)
				.run()) {
				assertThat(child.getBean(GrpcServerLifecycle.class))
					.isSameAs(parent.getBean(GrpcServerLifecycle.class));
				assertThat(child.getBeanFactory().getBeanNamesForType(GrpcServerLifecycle.class)).isEmpty();
				assertThat(parent.getBean(Application.class).ports).containsExactly(port);
			}
			assertThat(client.hello("Ada")).isEqualTo("Hello Ada");
		}
	}

	@Test
	void servicesOfAChildContextAreNamedSinceNobodyServesThem(CapturedOutput output) {
		try (ConfigurableApplicationContext parent = TestApplications.run(Application.class)) {
			new SpringApplicationBuilder(Child.class).web(WebApplicationType.NONE).parent(parent).run().close();
			assertThat(output).doesNotContain("WARN");
			new SpringApplicationBuilder(Child.class, ServiceOfChild.class).web(WebApplicationType.NONE)
				.parent(parent)
				.run()
				.close();
			assertThat(output).containsOnlyOnce("WARN").contains("not served").contains("'serviceOfChild'");
		}
	}

	@Test
	void aListenerOfTheStartMayCloseTheContext(CapturedOutput output) {
		TestApplications.run(ClosingApplication.class);
		assertThat(output).contains("gRPC server stopped").doesNotContain("still running after timeout");
	}

	private static int port(ConfigurableApplicationContext context) {
		return context.getEnvironment().getRequiredProperty("local.grpc.server.port", Integer.class);
	}

	private static int freePort() throws Exception {
		try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getByName("127.0.0.1"))) {
			return socket.getLocalPort();
		}
	}

	@Configuration(proxyBeanMethods = false)
	@Import(GreeterService.class)
	@ImportAutoConfiguration(GrpcLoopServerAutoConfiguration.class)
	static class Application {

		final List<Integer> ports = new CopyOnWriteArrayList<>();

		@EventListener
		void record(GrpcServerStartedEvent event) {
			this.ports.add(event.getPort());
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class ServiceOfChild {

		@Bean
		BindableService serviceOfChild() {
			return new FarewellGrpc.FarewellImplBase() {
			};
		}

	}

	@Configuration(proxyBeanMethods = false)
	@ImportAutoConfiguration(GrpcLoopServerAutoConfiguration.class)
	static class Child {

	}

	@Configuration(proxyBeanMethods = false)
	static class ClosingApplication {

		private final ConfigurableApplicationContext context;

		ClosingApplication(ConfigurableApplicationContext context) {
			this.context = context;
		}

		@EventListener
		void close(GrpcServerStartedEvent event) {
			this.context.close();
		}

	}

	/** As the contexts of older web applications and of XML are. */
	static class RefreshableContext extends AbstractRefreshableApplicationContext {

		RefreshableContext(int port) {
			TestPropertyValues.of("grpc.server.port=" + port, "grpc.server.address=127.0.0.1", "grpc.server.workers=1")
				.applyTo(this);
		}

		@Override
		protected void loadBeanDefinitions(DefaultListableBeanFactory beanFactory) {
			AnnotatedBeanDefinitionReader reader = new AnnotatedBeanDefinitionReader(beanFactory, getEnvironment());
			reader.register(Application.class);
		}

	}

}
