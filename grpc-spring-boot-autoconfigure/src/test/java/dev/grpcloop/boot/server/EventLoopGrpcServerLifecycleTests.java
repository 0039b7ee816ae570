package dev.grpcloop.boot.server;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;

import dev.grpcloop.boot.test.v1.GreeterGrpc;
import dev.grpcloop.boot.test.v1.HelloRequest;
import dev.grpcloop.boot.test.v1.HelloResponse;
import dev.grpcloop.boot.testsupport.GreeterClient;
import dev.grpcloop.boot.testsupport.GreeterService;
import dev.grpcloop.boot.testsupport.ServerThreads;
import dev.grpcloop.boot.testsupport.TestApplications;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.stub.StreamObserver;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.SmartLifecycle;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.context.event.EventListener;
import org.springframework.grpc.server.lifecycle.GrpcServerLifecycleEvent;
import org.springframework.grpc.server.lifecycle.GrpcServerShutdownEvent;
import org.springframework.grpc.server.lifecycle.GrpcServerStartedEvent;
import org.springframework.grpc.server.lifecycle.GrpcServerTerminatedEvent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatException;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests for {@link EventLoopGrpcServerLifecycle}.
 */
@Timeout(60)
@ExtendWith(OutputCaptureExtension.class)
class EventLoopGrpcServerLifecycleTests {

	@AfterEach
	void noThreadIsLeft() {
		ServerThreads.awaitNone();
	}

	@Test
	void twentyStartsAndStopsLeaveNoThreadAndNoPort() throws Exception {
		int port = freePort();
		for (int i = 0; i < 20; i++) {
			try (ConfigurableApplicationContext context = TestApplications.run(Application.class,
					"grpc.server.port=" + port, "grpc.server.executor.mode=platform");
					GreeterClient client = GreeterClient.of(context)) {
				assertThat(client.hello("Ada")).isEqualTo("Hello Ada");
			}
			ServerThreads.awaitNone();
		}
	}

	@Test
	void everyStartOfOneContextMakesANewServer() throws Exception {
		int port = freePort();
		try (ConfigurableApplicationContext context = TestApplications.run(Application.class,
				"grpc.server.port=" + port)) {
			for (int i = 0; i < 5; i++) {
				try (GreeterClient client = GreeterClient.of(context)) {
					assertThat(client.hello("Ada")).isEqualTo("Hello Ada");
				}
				context.stop();
				assertThat(lifecycle(context).isRunning()).isFalse();
				assertThat(lifecycle(context).getPort()).isZero();
				ServerThreads.awaitNone();
				context.start();
			}
			List<GrpcServerStartedEvent> starts = context.getBean(Application.class).of(GrpcServerStartedEvent.class);
			assertThat(starts).hasSize(6);
			assertThat(starts).extracting(GrpcServerStartedEvent::getServer).doesNotHaveDuplicates();
		}
	}

	@Test
	void publishesTheEventsInOrder() {
		ConfigurableApplicationContext context = TestApplications.run(Application.class);
		Application application = context.getBean(Application.class);
		int port = lifecycle(context).getPort();
		context.close();
		assertThat(application.events).extracting(Object::getClass)
			.isEqualTo(List.of(GrpcServerStartedEvent.class, GrpcServerShutdownEvent.class,
					GrpcServerTerminatedEvent.class));
		assertThat(application.events).allSatisfy((event) -> {
			assertThat(event.getSource()).isInstanceOf(EventLoopGrpcServerLifecycle.class);
			assertThat(event.getServer()).isSameAs(application.events.get(0).getServer());
		});
		GrpcServerStartedEvent started = (GrpcServerStartedEvent) application.events.get(0);
		assertThat(started.getPort()).isEqualTo(port).isPositive();
		assertThat(started.getAddress()).isEqualTo("127.0.0.1:" + port);
		assertThat(application.terminatedAtShutdown).isFalse();
		assertThat(started.getServer().isTerminated()).isTrue();
	}

	@Test
	void aFreePortIsInTheEnvironmentWhenTheStartIsAnnounced() {
		try (ConfigurableApplicationContext context = TestApplications.run(Application.class)) {
			assertThat(context.getBean(Application.class).portAtStart)
				.isEqualTo(String.valueOf(lifecycle(context).getPort()))
				.isNotEqualTo("0");
		}
	}

	@Test
	void theParentsOfAContextKnowThePort() {
		try (ConfigurableApplicationContext parent = TestApplications.builder(Parent.class, "grpc.server.enabled=false")
			.run();
				ConfigurableApplicationContext child = TestApplications.builder(Application.class)
					.parent(parent)
					.run()) {
			assertThat(parent.getEnvironment().getProperty("local.grpc.server.port", Integer.class))
				.isEqualTo(lifecycle(child).getPort());
		}
	}

	@Test
	void twoContextsServeAndStopIndependently() throws Exception {
		ConfigurableApplicationContext first = TestApplications.run(Application.class);
		try (ConfigurableApplicationContext second = TestApplications.run(Application.class);
				GreeterClient client = GreeterClient.of(second)) {
			first.close();
			assertThat(client.hello("Ada")).isEqualTo("Hello Ada");
		}
	}

	@Test
	void logsOneLineAboutTheStart(CapturedOutput output) {
		try (ConfigurableApplicationContext context = TestApplications.run(Application.class, "grpc.server.backend=nio",
				"grpc.server.workers=2", "grpc.server.executor.mode=event-loop")) {
			assertThat(output.getOut().lines().filter((line) -> line.contains("EventLoopGrpcServerLifecycle")))
				.singleElement()
				.asString()
				.contains("INFO", "127.0.0.1:" + lifecycle(context).getPort(), "backend nio (", "workers 2",
						"the event loops (grpc.server.executor.mode is event-loop)",
						"services grpc.health.v1.Health, grpc.reflection.v1.ServerReflection, ", "test.v1.Greeter");
		}
	}

	@Test
	void anApplicationWithoutServicesStartsAndSaysSo(CapturedOutput output) {
		try (ConfigurableApplicationContext context = TestApplications.run(Parent.class)) {
			assertThat(lifecycle(context).isRunning()).isTrue();
			assertThat(output).contains("no services: the application has no BindableService bean");
		}
	}

	@Test
	void aNonDaemonThreadKeepsTheApplicationUp() {
		try (ConfigurableApplicationContext context = TestApplications.run(Application.class)) {
			assertThat(Thread.getAllStackTraces().keySet()).filteredOn((thread) -> !thread.isDaemon())
				.extracting(Thread::getName)
				.contains("grpc-server-await");
		}
	}

	@Test
	void pausingTheContextLeavesTheServerRunning() throws Exception {
		try (ConfigurableApplicationContext context = TestApplications.run(Application.class);
				GreeterClient client = GreeterClient.of(context)) {
			context.pause();
			assertThat(client.hello("Ada")).isEqualTo("Hello Ada");
			context.restart();
			assertThat(client.hello("Ada")).isEqualTo("Hello Ada");
			assertThat(context.getBean(Application.class).events).hasSize(1);
		}
	}

	@Test
	void theServerStartsInALazyApplication() throws Exception {
		try (ConfigurableApplicationContext context = TestApplications.run(Application.class,
				"spring.main.lazy-initialization=true"); GreeterClient client = GreeterClient.of(context)) {
			assertThat(client.hello("Ada")).isEqualTo("Hello Ada");
		}
	}

	@Test
	void stoppingLetsRunningCallsFinish() throws Exception {
		ConfigurableApplicationContext context = TestApplications.run(BlockingApplication.class,
				"grpc.server.executor.mode=platform");
		BlockingApplication application = context.getBean(BlockingApplication.class);
		try (GreeterClient client = GreeterClient.of(context)) {
			CompletableFuture<String> answer = client.helloLater("Ada");
			application.running.await();
			CountDownLatch stopped = new CountDownLatch(1);
			lifecycle(context).stop(stopped::countDown);
			assertThat(stopped.getCount()).isEqualTo(1);
			assertThat(lifecycle(context).isRunning()).isFalse();
			assertRefusesConnections(port(context));
			application.release.countDown();
			assertThat(answer.get(20, TimeUnit.SECONDS)).isEqualTo("Hello Ada");
			assertThat(stopped.await(20, TimeUnit.SECONDS)).isTrue();
		}
		context.close();
	}

	@Test
	void drainsBesideTheOtherBeansOfTheWebServersPhase() throws Exception {
		ConfigurableApplicationContext context = TestApplications.run(BlockingApplication.class,
				"grpc.server.executor.mode=platform");
		BlockingApplication application = context.getBean(BlockingApplication.class);
		try (GreeterClient client = GreeterClient.of(context)) {
			CompletableFuture<String> answer = client.helloLater("Ada");
			application.running.await();
			// the other bean of the phase ends only when it has seen our server drain,
			// and
			// lets the call go only then: one after the other would take the whole
			// timeout
			context.close();
			assertThat(application.otherSawDraining).isTrue();
			assertThat(answer.get(20, TimeUnit.SECONDS)).isEqualTo("Hello Ada");
		}
	}

	@Test
	void callsThatOutliveTheGracePeriodAreCancelled() throws Exception {
		assertCancelled("grpc.server.shutdown.grace-period=10ms");
	}

	@Test
	void withoutAGracePeriodCallsAreCancelledAtOnce() throws Exception {
		assertCancelled("grpc.server.shutdown.grace-period=0");
	}

	@Test
	void callsThatOutliveThePhaseAreCancelledWhenTheContextIsClosed(CapturedOutput output) throws Exception {
		assertCancelled("grpc.server.shutdown.grace-period=-1", "spring.lifecycle.timeout-per-shutdown-phase=10ms");
		assertThat(output).contains("WARN")
			.contains(
					"grpc.server.shutdown.drain-delay is PT0S and grpc.server.shutdown.grace-period is unlimited, but the "
							+ "application waits no longer than PT0.01S (spring.lifecycle.timeout-per-shutdown-phase)");
	}

	private void assertCancelled(String... properties) throws Exception {
		ConfigurableApplicationContext context = TestApplications.run(StuckApplication.class,
				java.util.stream.Stream
					.concat(java.util.stream.Stream.of("grpc.server.executor.mode=platform"),
							java.util.stream.Stream.of(properties))
					.toArray(String[]::new));
		StuckApplication application = context.getBean(StuckApplication.class);
		try (GreeterClient client = GreeterClient.of(context)) {
			CompletableFuture<String> answer = client.helloLater("Ada");
			application.running.await();
			context.close();
			assertThatExceptionOfType(ExecutionException.class).isThrownBy(() -> answer.get(20, TimeUnit.SECONDS))
				.withCauseInstanceOf(StatusRuntimeException.class)
				.satisfies((ex) -> assertThat(Status.fromThrowable(ex.getCause()).getCode())
					.isIn(Status.Code.UNAVAILABLE, Status.Code.CANCELLED));
		}
	}

	@ParameterizedTest
	@CsvSource({ "0,PT0S,45,PT45S", "15ms,PT0.015S,40,PT40S", "1h,PT1H,0,PT0S" })
	void warnsOfADelayAndAGracePeriodBeyondThePhase(String drainDelay, String delay, String gracePeriod, String grace,
			CapturedOutput output) {
		warned(drainDelay, gracePeriod, "40s");
		assertThat(output).contains("WARN", "grpc.server.shutdown.drain-delay is " + delay
				+ " and grpc.server.shutdown.grace-period is " + grace
				+ ", but the application waits no longer than PT40S (spring.lifecycle.timeout-per-shutdown-phase) "
				+ "for both together");
	}

	@ParameterizedTest
	@CsvSource({ "0,40", "10,30", "40,0" })
	void aDelayAndAGracePeriodWithinThePhaseWarnOfNothing(String drainDelay, String gracePeriod) {
		assertThat(new ShutdownTimes(Duration.ofSeconds(Long.parseLong(drainDelay)),
				Duration.ofSeconds(Long.parseLong(gracePeriod)), Duration.ofSeconds(40))
			.warning(ServerMode.ALONE)).isNull();
	}

	/** Does not wait for the stop: the context ends it. */
	private static void warned(String drainDelay, String gracePeriod, String phaseTimeout) {
		ConfigurableApplicationContext context = TestApplications.run(Application.class,
				"grpc.server.shutdown.drain-delay=" + drainDelay, "grpc.server.shutdown.grace-period=" + gracePeriod,
				"spring.lifecycle.timeout-per-shutdown-phase=" + phaseTimeout);
		lifecycle(context).destroy();
		context.close();
	}

	@Test
	void theDefaultsWarnOfNothing(CapturedOutput output) {
		TestApplications.run(Application.class).close();
		assertThat(output).doesNotContain("WARN");
	}

	@Test
	void aTakenPortLeavesNothing() throws Exception {
		try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getByName("127.0.0.1"))) {
			assertThatException()
				.isThrownBy(() -> TestApplications.run(Application.class, "grpc.server.port=" + socket.getLocalPort()));
			ServerThreads.awaitNone();
		}
	}

	@Test
	void aListenerThatFailsAtTheStartLeavesNothing() throws Exception {
		int port = freePort();
		assertThatException()
			.isThrownBy(() -> TestApplications.run(FailingListenerApplication.class, "grpc.server.port=" + port));
		ServerThreads.awaitNone();
		assertRefusesConnections(port);
	}

	@Test
	void aBeanThatFailsAfterTheStartLeavesNothing() throws Exception {
		int port = freePort();
		assertThatException()
			.isThrownBy(() -> TestApplications.run(FailingLifecycleApplication.class, "grpc.server.port=" + port));
		ServerThreads.awaitNone();
		assertRefusesConnections(port);
	}

	private static void assertRefusesConnections(int port) {
		Awaitility.await().untilAsserted(() -> assertThatExceptionOfType(IOException.class).isThrownBy(() -> {
			try (java.net.Socket socket = new java.net.Socket("127.0.0.1", port)) {
				assertThat(socket.isConnected()).isTrue();
			}
		}));
	}

	private static EventLoopGrpcServerLifecycle lifecycle(ConfigurableApplicationContext context) {
		return context.getBean(EventLoopGrpcServerLifecycle.class);
	}

	private static int port(ConfigurableApplicationContext context) {
		return context.getEnvironment().getRequiredProperty("local.grpc.server.port", Integer.class);
	}

	private static int freePort() throws IOException {
		try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getByName("127.0.0.1"))) {
			return socket.getLocalPort();
		}
	}

	@Configuration(proxyBeanMethods = false)
	static class Parent {

	}

	@Configuration(proxyBeanMethods = false)
	@Import(GreeterService.class)
	static class Application {

		final List<GrpcServerLifecycleEvent> events = new ArrayList<>();

		private final org.springframework.core.env.Environment environment;

		String portAtStart = "";

		boolean terminatedAtShutdown;

		Application(org.springframework.core.env.Environment environment) {
			this.environment = environment;
		}

		@EventListener
		synchronized void record(GrpcServerLifecycleEvent event) {
			this.events.add(event);
			if (event instanceof GrpcServerStartedEvent) {
				this.portAtStart = this.environment.getProperty("local.grpc.server.port", "");
			}
			if (event instanceof GrpcServerShutdownEvent) {
				this.terminatedAtShutdown = event.getServer().isTerminated();
			}
		}

		<E extends GrpcServerLifecycleEvent> List<E> of(Class<E> type) {
			return this.events.stream().filter(type::isInstance).map(type::cast).toList();
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class BlockingApplication {

		final CountDownLatch running = new CountDownLatch(1);

		final CountDownLatch release = new CountDownLatch(1);

		final CountDownLatch draining = new CountDownLatch(1);

		volatile boolean otherSawDraining;

		@Bean
		GreeterGrpc.GreeterImplBase greeter() {
			return new BlockingGreeter(this.running, this.release);
		}

		@EventListener
		void draining(GrpcServerShutdownEvent event) {
			this.draining.countDown();
		}

		@Bean
		SmartLifecycle webServer() {
			return new WebServerStandIn(this);
		}

	}

	/** Stops as a web server does: not on the thread that asks. */
	static class WebServerStandIn implements SmartLifecycle {

		private final BlockingApplication application;

		private boolean running;

		WebServerStandIn(BlockingApplication application) {
			this.application = application;
		}

		@Override
		public int getPhase() {
			return org.springframework.boot.web.server.context.WebServerGracefulShutdownLifecycle.SMART_LIFECYCLE_PHASE;
		}

		@Override
		public void start() {
			this.running = true;
		}

		@Override
		public void stop() {
			throw new UnsupportedOperationException();
		}

		@Override
		public void stop(Runnable callback) {
			this.running = false;
			new Thread(() -> {
				try {
					this.application.otherSawDraining = this.application.draining.await(20, TimeUnit.SECONDS);
				}
				catch (InterruptedException ex) {
					Thread.currentThread().interrupt();
				}
				this.application.release.countDown();
				callback.run();
			}).start();
		}

		@Override
		public boolean isRunning() {
			return this.running;
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class StuckApplication {

		final CountDownLatch running = new CountDownLatch(1);

		@Bean
		GreeterGrpc.GreeterImplBase greeter() {
			return new BlockingGreeter(this.running, new CountDownLatch(1));
		}

	}

	static class BlockingGreeter extends GreeterGrpc.GreeterImplBase {

		private final CountDownLatch running;

		private final CountDownLatch release;

		BlockingGreeter(CountDownLatch running, CountDownLatch release) {
			this.running = running;
			this.release = release;
		}

		@Override
		public void hello(HelloRequest request, StreamObserver<HelloResponse> responses) {
			this.running.countDown();
			try {
				this.release.await();
				responses.onNext(GreeterService.greeting(request.getName()));
				responses.onCompleted();
			}
			catch (InterruptedException ex) {
				Thread.currentThread().interrupt();
			}
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class FailingListenerApplication {

		@EventListener
		void fail(GrpcServerStartedEvent event) {
			throw new IllegalStateException("listener");
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class FailingLifecycleApplication {

		@Bean
		SmartLifecycle failing() {
			return new SmartLifecycle() {

				@Override
				public void start() {
					throw new IllegalStateException("later bean");
				}

				@Override
				public void stop() {
					// never started
				}

				@Override
				public boolean isRunning() {
					return false;
				}

			};
		}

	}

}
