package dev.grpcloop.boot.autoconfigure;

import dev.grpcloop.boot.server.ServerMode;
import org.jspecify.annotations.Nullable;

import org.springframework.boot.context.properties.ConfigurationPropertiesBindHandlerAdvisor;
import org.springframework.boot.context.properties.bind.AbstractBindHandler;
import org.springframework.boot.context.properties.bind.BindContext;
import org.springframework.boot.context.properties.bind.BindHandler;
import org.springframework.boot.context.properties.bind.Bindable;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName;

/**
 * Binds {@link GrpcServerProperties} beside Spring Boot's own gRPC server: what Spring
 * Boot has a property for from {@code spring.grpc.server} alone, the rest from
 * {@code grpc.server} alone. The properties of others are bound as ever.
 */
final class SpringBootPropertiesAdvisor implements ConfigurationPropertiesBindHandlerAdvisor {

	private static final ConfigurationPropertyName PREFIX = ConfigurationPropertyName.of(ServerMode.PREFIX);

	private static final ConfigurationPropertyName SPRING_BOOT_PREFIX = ConfigurationPropertyName
		.of(ServerMode.SPRING_BOOT_PREFIX);

	@Override
	public BindHandler apply(BindHandler handler) {
		return new OwnHandler(handler);
	}

	private static ConfigurationPropertyName key(ConfigurationPropertyName name, ConfigurationPropertyName prefix) {
		return name.subName(prefix.getNumberOfElements());
	}

	/** Leaves out Spring Boot's keys, then has them bound under the other prefix. */
	private static final class OwnHandler extends AbstractBindHandler {

		OwnHandler(BindHandler parent) {
			super(parent);
		}

		@Override
		public <T> @Nullable Bindable<T> onStart(ConfigurationPropertyName name, Bindable<T> target,
				BindContext context) {
			if (PREFIX.isAncestorOf(name) && ServerMode.isSpringBoots(key(name, PREFIX))) {
				return null;
			}
			return super.onStart(name, target, context);
		}

		@Override
		public void onFinish(ConfigurationPropertyName name, Bindable<?> target, BindContext context,
				@Nullable Object result) throws Exception {
			if (name.equals(PREFIX) && target.getValue() != null
					&& target.getValue().get() instanceof GrpcServerProperties properties) {
				properties.readBesideSpringBoot();
				context.getBinder().bind(SPRING_BOOT_PREFIX, Bindable.ofInstance(properties), new SpringBootHandler());
			}
			super.onFinish(name, target, context, result);
		}

	}

	/** Leaves out what is no key of Spring Boot's. */
	private static final class SpringBootHandler extends AbstractBindHandler {

		@Override
		public <T> @Nullable Bindable<T> onStart(ConfigurationPropertyName name, Bindable<T> target,
				BindContext context) {
			if (SPRING_BOOT_PREFIX.isAncestorOf(name)
					&& !ServerMode.leadsToSpringBoots(key(name, SPRING_BOOT_PREFIX))) {
				return null;
			}
			return super.onStart(name, target, context);
		}

	}

}
