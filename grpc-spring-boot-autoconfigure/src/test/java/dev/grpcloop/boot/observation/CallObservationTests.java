package dev.grpcloop.boot.observation;

import java.util.function.Supplier;
import java.util.stream.Stream;

import dev.grpcloop.boot.autoconfigure.GrpcLoopServerAutoConfiguration;
import dev.grpcloop.boot.server.EventLoopGrpcServerFactory;
import dev.grpcloop.boot.statistics.CallRecorder;
import dev.grpcloop.boot.statistics.ServerStatistics;
import dev.grpcloop.boot.testsupport.BesideSpringBoot;
import dev.grpcloop.boot.testsupport.TestApplications;
import io.micrometer.core.instrument.binder.grpc.DefaultGrpcServerObservationConvention;
import io.micrometer.core.instrument.binder.grpc.GrpcServerObservationConvention;
import io.micrometer.core.instrument.binder.grpc.ObservationGrpcServerInterceptor;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.micrometer.observation.ObservationFilter;
import io.micrometer.observation.ObservationPredicate;
import io.micrometer.observation.ObservationRegistry;
import io.micrometer.observation.ObservationTextPublisher;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.grpc.server.autoconfigure.GrpcServerObservationAutoConfiguration;
import org.springframework.boot.micrometer.metrics.autoconfigure.CompositeMeterRegistryAutoConfiguration;
import org.springframework.boot.micrometer.metrics.autoconfigure.MetricsAutoConfiguration;
import org.springframework.boot.micrometer.metrics.autoconfigure.export.simple.SimpleMetricsExportAutoConfiguration;
import org.springframework.boot.micrometer.observation.autoconfigure.ObservationAutoConfiguration;
import org.springframework.boot.micrometer.observation.autoconfigure.ObservationRegistryCustomizer;
import org.springframework.boot.micrometer.tracing.autoconfigure.MicrometerTracingAutoConfiguration;
import org.springframework.boot.micrometer.tracing.autoconfigure.NoopTracerAutoConfiguration;
import org.springframework.boot.micrometer.tracing.brave.autoconfigure.BraveAutoConfiguration;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

import static org.assertj.core.api.Assertions.assertThat;

class CallObservationTests {

	private static final AutoConfigurations SPRING_BOOTS = AutoConfigurations.of(MetricsAutoConfiguration.class,
			CompositeMeterRegistryAutoConfiguration.class, SimpleMetricsExportAutoConfiguration.class,
			ObservationAutoConfiguration.class, MicrometerTracingAutoConfiguration.class,
			NoopTracerAutoConfiguration.class);

	private final ApplicationContextRunner runner = new ApplicationContextRunner().withConfiguration(SPRING_BOOTS);

	@Test
	void whatSpringBootBringsIsNoReason() {
		assertIntercepted(this.runner, false);
		assertIntercepted(this.runner.withPropertyValues("management.observations.key-values.region=eu"), false);
		assertIntercepted(this.runner.withClassLoader(new FilteredClassLoader("io.micrometer.tracing")), false);
	}

	@Test
	void aServerWithoutAnEngineIsAReason() {
		this.runner.run((context) -> assertThat(new CallObservation(ObservationRecorder.AUTO,
				EventLoopGrpcServerFactory.class, context.getBeanFactory())
			.isIntercepted()).isTrue());
	}

	@Test
	void aTracerIsAReason() {
		assertIntercepted(this.runner.withConfiguration(AutoConfigurations.of(BraveAutoConfiguration.class)), true);
	}

	@ParameterizedTest
	@MethodSource("reasons")
	<T> void aBeanThatHearsOfObservationsIsAReason(Class<T> type, Supplier<T> bean) {
		assertIntercepted(this.runner.withBean(type, bean), true);
	}

	static Stream<Arguments> reasons() {
		return Stream.of(reason(GrpcServerObservationConvention.class, DefaultGrpcServerObservationConvention::new),
				reason(ObservationTextPublisher.class, ObservationTextPublisher::new),
				reason(ObservationFilter.class, () -> (context) -> context),
				reason(ObservationPredicate.class, () -> (name, context) -> true),
				reason(ObservationRegistryCustomizer.class, () -> (registry) -> {
				}));
	}

	private static <T> Arguments reason(Class<T> type, Supplier<? extends T> bean) {
		return Arguments.of(type, bean);
	}

	@Test
	void aRegistryOfTheApplicationMayHaveHandlersThatAreNoBeans() {
		assertIntercepted(this.runner.withUserConfiguration(OwnRegistry.class), true);
	}

	@Test
	void aReasonInAnAncestorCounts() {
		new ApplicationContextRunner().withBean(ObservationFilter.class, () -> (context) -> context)
			.run((parent) -> assertIntercepted(this.runner.withParent(parent), true));
	}

	@ParameterizedTest
	@EnumSource(names = { "INTERCEPTOR", "ENGINE" })
	void thePropertyHasTheLastWord(ObservationRecorder recorder) {
		this.runner.withBean(ObservationFilter.class, () -> (context) -> context)
			.run((context) -> assertThat(
					new CallObservation(recorder, Object.class, context.getBeanFactory()).isIntercepted())
				.isEqualTo(recorder == ObservationRecorder.INTERCEPTOR));
	}

	@Test
	void withoutObservationThereIsNoRecorder() {
		TestApplications.runner()
			.withBean(SimpleMeterRegistry.class)
			.withBean(ObservationRegistry.class, ObservationRegistry::create)
			.withPropertyValues("grpc.server.observation.enabled=false")
			.run((context) -> assertThat(context).hasSingleBean(ServerStatistics.class)
				.doesNotHaveBean(CallRecorder.Factory.class)
				.doesNotHaveBean(ObservationGrpcServerInterceptor.class));
	}

	private static void assertIntercepted(ApplicationContextRunner runner, boolean intercepted) {
		runner.run((context) -> assertThat(
				new CallObservation(ObservationRecorder.AUTO, Object.class, context.getBeanFactory()).isIntercepted())
			.isEqualTo(intercepted));
	}

	@Test
	@BesideSpringBoot
	void oursTakesThePlaceOfSpringBootsInterceptorAndGivesWayToTheApplications() {
		ApplicationContextRunner beside = this.runner.withConfiguration(AutoConfigurations
			.of(GrpcLoopServerAutoConfiguration.class, GrpcServerObservationAutoConfiguration.class));
		beside.run((context) -> assertThat(context).hasSingleBean(ObservationGrpcServerInterceptor.class)
			.hasBean("grpcLoopObservationInterceptor"));
		beside.withPropertyValues("spring.grpc.server.observation.enabled=false")
			.run((context) -> assertThat(context).doesNotHaveBean(ObservationGrpcServerInterceptor.class));
		beside
			.withBean("own", ObservationGrpcServerInterceptor.class,
					() -> new ObservationGrpcServerInterceptor(ObservationRegistry.create()))
			.run((context) -> assertThat(context.getBeanNamesForType(ObservationGrpcServerInterceptor.class))
				.containsExactly("own"));
	}

	@Configuration(proxyBeanMethods = false)
	static class OwnRegistry {

		@Bean
		ObservationRegistry registry() {
			ObservationRegistry registry = ObservationRegistry.create();
			registry.observationConfig().observationHandler(new ObservationTextPublisher());
			return registry;
		}

	}

}
