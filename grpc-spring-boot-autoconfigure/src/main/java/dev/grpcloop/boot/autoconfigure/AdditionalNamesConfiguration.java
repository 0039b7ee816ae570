package dev.grpcloop.boot.autoconfigure;

import java.util.List;

import dev.grpcloop.boot.autoconfigure.BooleanPropertyCondition.OnMetricsEnabled;
import dev.grpcloop.boot.metrics.A66MetersFactory;
import dev.grpcloop.boot.metrics.MeterNames;
import dev.grpcloop.boot.metrics.NetDevhMetersFactory;
import dev.grpcloop.engine.EventLoopServerBuilder;
import io.micrometer.core.instrument.MeterRegistry;

import org.springframework.boot.autoconfigure.condition.ConditionMessage;
import org.springframework.boot.autoconfigure.condition.ConditionOutcome;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.SpringBootCondition;
import org.springframework.boot.context.properties.bind.Bindable;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.ConditionContext;
import org.springframework.context.annotation.Conditional;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.type.AnnotatedTypeMetadata;
import org.springframework.grpc.server.ServerBuilderCustomizer;

/**
 * Meters of calls under names that dashboards made for other servers know.
 */
@Configuration(proxyBeanMethods = false)
@ConditionalOnClass(MeterRegistry.class)
@ConditionalOnBean(MeterRegistry.class)
@Conditional(OnMetricsEnabled.class)
class AdditionalNamesConfiguration {

	@Bean
	@ConditionalOnMissingBean
	@Conditional(OnNetDevh.class)
	NetDevhMetersFactory grpcLoopNetDevhMetersFactory(MeterRegistry registry) {
		return new NetDevhMetersFactory(registry);
	}

	@Configuration(proxyBeanMethods = false)
	@Conditional(OnA66.class)
	static class A66Configuration {

		@Bean
		@ConditionalOnMissingBean
		A66MetersFactory grpcLoopA66MetersFactory(MeterRegistry registry) {
			return new A66MetersFactory(registry);
		}

		/**
		 * A bean of a tracer factory would hear of an in-process server's calls too,
		 * which the other meters do not count.
		 */
		@Bean
		@ConditionalOnMissingBean(name = "grpcLoopA66Customizer")
		ServerBuilderCustomizer<EventLoopServerBuilder> grpcLoopA66Customizer(A66MetersFactory meters) {
			return (builder) -> builder.addStreamTracerFactory(meters.tracers());
		}

	}

	private abstract static class OnNames extends SpringBootCondition {

		private static final String PROPERTY = "grpc.server.metrics.additional-names";

		private final MeterNames names;

		OnNames(MeterNames names) {
			this.names = names;
		}

		@Override
		public ConditionOutcome getMatchOutcome(ConditionContext context, AnnotatedTypeMetadata metadata) {
			List<MeterNames> all = Binder.get(context.getEnvironment())
				.bind(PROPERTY, Bindable.listOf(MeterNames.class))
				.orElse(List.of());
			return new ConditionOutcome(all.contains(this.names),
					ConditionMessage.forCondition("gRPC server").because(PROPERTY + " is " + all));
		}

	}

	static class OnA66 extends OnNames {

		OnA66() {
			super(MeterNames.A66);
		}

	}

	static class OnNetDevh extends OnNames {

		OnNetDevh() {
			super(MeterNames.NET_DEVH);
		}

	}

}
