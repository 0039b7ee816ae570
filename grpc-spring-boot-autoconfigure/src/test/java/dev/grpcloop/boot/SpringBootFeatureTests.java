package dev.grpcloop.boot;

import java.util.Base64;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

import dev.grpcloop.boot.testsupport.BesideSpringBoot;
import dev.grpcloop.boot.server.EventLoopGrpcServerLifecycle;
import dev.grpcloop.boot.test.v1.GreeterGrpc;
import dev.grpcloop.boot.test.v1.HelloRequest;
import dev.grpcloop.boot.test.v1.HelloResponse;
import dev.grpcloop.boot.testsupport.GreeterClient;
import dev.grpcloop.boot.testsupport.GreeterService;
import dev.grpcloop.boot.testsupport.HealthWatch;
import dev.grpcloop.boot.testsupport.ServerThreads;
import dev.grpcloop.boot.testsupport.SpringBootApplications;
import io.grpc.ManagedChannel;
import io.grpc.Metadata;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.health.v1.HealthCheckResponse.ServingStatus;
import io.grpc.inprocess.InProcessChannelBuilder;
import io.grpc.reflection.v1.ServerReflectionGrpc;
import io.grpc.reflection.v1.ServerReflectionRequest;
import io.grpc.reflection.v1.ServerReflectionResponse;
import io.grpc.reflection.v1.ServiceResponse;
import io.grpc.stub.MetadataUtils;
import io.grpc.stub.StreamObserver;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import io.micrometer.core.instrument.binder.grpc.ObservationGrpcServerInterceptor;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.context.event.EventListener;
import org.springframework.grpc.server.GlobalServerInterceptor;
import org.springframework.grpc.server.advice.GrpcAdvice;
import org.springframework.grpc.server.advice.GrpcExceptionHandler;
import org.springframework.grpc.server.lifecycle.GrpcServerLifecycle;
import org.springframework.grpc.server.lifecycle.GrpcServerShutdownEvent;
import org.springframework.grpc.server.security.AuthenticationProcessInterceptor;
import org.springframework.grpc.server.security.GrpcSecurity;
import org.springframework.security.config.Customizer;
import org.springframework.security.core.context.SecurityContextHolder;
import org.springframework.security.core.userdetails.User;
import org.springframework.security.core.userdetails.UserDetailsService;
import org.springframework.security.provisioning.InMemoryUserDetailsManager;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * What Spring Boot's own gRPC module does for an application, with our server in the
 * place of its own.
 */
@Timeout(60)
@BesideSpringBoot
class SpringBootFeatureTests {

	@AfterEach
	void noThreadIsLeft() {
		ServerThreads.awaitNone();
	}

	@Test
	void itsHealthServiceFollowsItsIndicatorsAndTellsOfTheStop() throws Exception {
		ConfigurableApplicationContext context = SpringBootApplications.run(Sick.class,
				"spring.grpc.server.health.schedule.delay=0", "spring.grpc.server.health.schedule.period=20ms");
		Sick sick = context.getBean(Sick.class);
		try (context; GreeterClient client = GreeterClient.of(context)) {
			HealthWatch watch = HealthWatch.of(client.channel(), HealthWatch.SERVER);
			Awaitility.await().until(() -> watch.statuses().contains(ServingStatus.NOT_SERVING));
			sick.healed = true;
			Awaitility.await()
				.until(() -> HealthWatch.check(client.channel(), HealthWatch.SERVER) == ServingStatus.SERVING);
		}
		assertThat(sick.whileStopping).isEqualTo(ServingStatus.NOT_SERVING);
	}

	@Test
	void itsHealthServiceStaysOffWhereItIsSwitchedOff() throws Exception {
		try (ConfigurableApplicationContext context = SpringBootApplications.run(GreeterService.class,
				"spring.grpc.server.health.enabled=false"); GreeterClient client = GreeterClient.of(context)) {
			assertStatus(Status.Code.UNIMPLEMENTED,
					() -> String.valueOf(HealthWatch.check(client.channel(), HealthWatch.SERVER)));
		}
	}

	@Test
	void itsReflectionServiceListsTheServices() throws Exception {
		try (ConfigurableApplicationContext context = SpringBootApplications.run(GreeterService.class);
				GreeterClient client = GreeterClient.of(context)) {
			assertThat(reflect(client)).containsExactlyInAnyOrder("test.v1.Greeter", "grpc.health.v1.Health",
					"grpc.reflection.v1.ServerReflection");
		}
	}

	private static List<String> reflect(GreeterClient client) throws Exception {
		CompletableFuture<ServerReflectionResponse> answer = new CompletableFuture<>();
		StreamObserver<ServerReflectionRequest> requests = ServerReflectionGrpc.newStub(client.channel())
			.serverReflectionInfo(new StreamObserver<>() {

				@Override
				public void onNext(ServerReflectionResponse response) {
					answer.complete(response);
				}

				@Override
				public void onError(Throwable ex) {
					answer.completeExceptionally(ex);
				}

				@Override
				public void onCompleted() {
					// the answer was the message
				}

			});
		requests.onNext(ServerReflectionRequest.newBuilder().setListServices("").build());
		List<String> services = answer.get(20, TimeUnit.SECONDS)
			.getListServicesResponse()
			.getServiceList()
			.stream()
			.map(ServiceResponse::getName)
			.toList();
		requests.onCompleted();
		return services;
	}

	@Test
	void itsAdviceAnswersForExceptions() throws Exception {
		try (ConfigurableApplicationContext context = SpringBootApplications.run(Advised.class);
				GreeterClient client = GreeterClient.of(context)) {
			assertStatus(Status.Code.FAILED_PRECONDITION, () -> client.hello("broken"));
		}
	}

	@Test
	void itsObservationRecordsEachCallOnce() throws Exception {
		try (ConfigurableApplicationContext context = SpringBootApplications.run(Measured.class,
				"management.defaults.metrics.export.enabled=false", "management.simple.metrics.export.enabled=true");
				GreeterClient client = GreeterClient.of(context)) {
			assertThat(context.getBeansOfType(ObservationGrpcServerInterceptor.class)).hasSize(1);
			MeterRegistry registry = context.getBean(MeterRegistry.class);
			client.hello("Ada");
			client.hello("Ada");
			Awaitility.await()
				.untilAsserted(() -> assertThat(registry.get("grpc.server").tag("rpc.method", "Hello").timers())
					.extracting(Timer::count)
					.containsExactly(2L));
			assertThat(registry.get("grpc.engine.calls.active").gauge()).isNotNull();
		}
	}

	@Test
	void withoutItsObservationNobodyRecordsCalls() throws Exception {
		try (ConfigurableApplicationContext context = SpringBootApplications.run(Measured.class,
				"management.defaults.metrics.export.enabled=false", "management.simple.metrics.export.enabled=true",
				"spring.grpc.server.observation.enabled=false"); GreeterClient client = GreeterClient.of(context)) {
			MeterRegistry registry = context.getBean(MeterRegistry.class);
			client.hello("Ada");
			Awaitility.await()
				.until(() -> registry.get("grpc.engine.streams.opened").functionCounter().count() == 1
						&& registry.get("grpc.engine.streams.active").gauge().value() == 0);
			assertThat(registry.getMeters()).extracting((meter) -> meter.getId().getName())
				.noneMatch((name) -> name.equals("grpc.server") || name.startsWith("grpc.server."));
		}
	}

	@Test
	void itsSecurityGuardsTheCalls() throws Exception {
		try (ConfigurableApplicationContext context = SpringBootApplications.run(Guarded.class);
				GreeterClient client = GreeterClient.of(context)) {
			assertStatus(Status.Code.UNAUTHENTICATED, () -> client.hello("Ada"));
			assertStatus(Status.Code.UNAUTHENTICATED, () -> helloAs("ada", "wrong", client));
			assertStatus(Status.Code.PERMISSION_DENIED, () -> helloAs("bob", "secret", client));
			assertThat(helloAs("ada", "secret", client)).isEqualTo("Hello ada");
		}
	}

	private static String helloAs(String name, String password, GreeterClient client) {
		Metadata metadata = new Metadata();
		metadata.put(Metadata.Key.of("authorization", Metadata.ASCII_STRING_MARSHALLER),
				"Basic " + Base64.getEncoder().encodeToString((name + ":" + password).getBytes()));
		return GreeterGrpc.newBlockingStub(client.channel())
			.withDeadlineAfter(20, TimeUnit.SECONDS)
			.withInterceptors(MetadataUtils.newAttachHeadersInterceptor(metadata))
			.hello(GreeterService.request("Ada"))
			.getMessage();
	}

	@Test
	void itsInProcessServerServesBesideOurs() throws Exception {
		try (ConfigurableApplicationContext context = SpringBootApplications.run(GreeterService.class,
				"spring.grpc.server.inprocess.name=beside"); GreeterClient client = GreeterClient.of(context)) {
			assertThat(context.getBeansOfType(GrpcServerLifecycle.class)).hasSize(2);
			assertThat(context.getBeansOfType(EventLoopGrpcServerLifecycle.class)).hasSize(1);
			assertThat(client.hello("Ada")).isEqualTo("Hello Ada");
			ManagedChannel channel = InProcessChannelBuilder.forName("beside").build();
			try {
				assertThat(GreeterGrpc.newBlockingStub(channel).hello(GreeterService.request("Bob")).getMessage())
					.isEqualTo("Hello Bob");
			}
			finally {
				channel.shutdownNow();
			}
		}
	}

	private static void assertStatus(Status.Code code, Supplier<String> call) {
		assertThatExceptionOfType(StatusRuntimeException.class).isThrownBy(call::get)
			.satisfies((ex) -> assertThat(ex.getStatus().getCode()).isEqualTo(code));
	}

	@Configuration(proxyBeanMethods = false)
	@Import(GreeterService.class)
	static class Sick {

		volatile boolean healed;

		volatile @Nullable ServingStatus whileStopping;

		@Bean
		HealthIndicator sick() {
			return () -> (this.healed ? Health.up() : Health.down()).build();
		}

		@EventListener
		void ask(GrpcServerShutdownEvent event) throws Exception {
			try (GreeterClient client = new GreeterClient("localhost", event.getServer().getPort())) {
				this.whileStopping = HealthWatch.check(client.channel(), HealthWatch.SERVER);
			}
		}

	}

	/** Spring gRPC calls no method that is not public. */
	@GrpcAdvice
	public static class Advice {

		@GrpcExceptionHandler
		public Status broken(IllegalStateException ex) {
			return Status.FAILED_PRECONDITION.withDescription(ex.getMessage());
		}

	}

	@Configuration(proxyBeanMethods = false)
	@Import({ GreeterService.class, Advice.class })
	static class Advised {

	}

	@Configuration(proxyBeanMethods = false)
	@Import(GreeterService.class)
	static class Measured {

	}

	@Configuration(proxyBeanMethods = false)
	static class Guarded {

		@Bean
		GreeterGrpc.GreeterImplBase greeter() {
			return new GreeterService() {

				@Override
				public void hello(HelloRequest request, StreamObserver<HelloResponse> responses) {
					String user = SecurityContextHolder.getContext().getAuthentication().getName();
					responses.onNext(greeting(user));
					responses.onCompleted();
				}

			};
		}

		@Bean
		UserDetailsService users() {
			return new InMemoryUserDetailsManager(
					User.withUsername("ada").password("{noop}secret").roles("GREETED").build(),
					User.withUsername("bob").password("{noop}secret").roles("OTHER").build());
		}

		@Bean
		@GlobalServerInterceptor
		AuthenticationProcessInterceptor guard(GrpcSecurity security) throws Exception {
			return security
				.authorizeRequests((requests) -> requests.methods("test.v1.Greeter/*")
					.hasAuthority("ROLE_GREETED")
					.allRequests()
					.permitAll())
				.httpBasic(Customizer.withDefaults())
				.build();
		}

	}

}
