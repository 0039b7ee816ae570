package dev.grpcloop.boot.autoconfigure;

import java.util.List;

import org.springframework.beans.factory.config.BeanFactoryPostProcessor;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.diagnostics.FailureAnalyzedException;

/**
 * Stops the start where Spring Boot's own gRPC server would run beside ours. Runs before
 * any bean of either is made.
 */
final class SingleServerCheck implements BeanFactoryPostProcessor {

	/** Each makes Spring Boot serve gRPC on a socket. */
	private static final List<String> SPRING_BOOT_SERVERS = List.of("nettyGrpcServerFactory",
			"shadedNettyGrpcServerFactory", "grpcServletRegistration");

	private static final String SPRING_BOOT_PACKAGE = "org.springframework.boot.grpc.server.";

	@Override
	public void postProcessBeanFactory(ConfigurableListableBeanFactory beanFactory) {
		for (String server : SPRING_BOOT_SERVERS) {
			if (isSpringBoots(server, beanFactory)) {
				throw new FailureAnalyzedException(
						"Two gRPC servers would start: Spring Boot's, from org.springframework.boot:spring-boot-grpc-server "
								+ "(bean '" + server + "'), and the event-loop server, from "
								+ "dev.grpcloop:grpc-spring-boot-autoconfigure.",
						"""
								Keep one of the two:
								    - for the event-loop server, remove the dependency spring-boot-starter-grpc-server \
								or set spring.grpc.server.enabled=false
								    - for Spring Boot's server, remove the dependency grpc-spring-boot-starter \
								or set grpc.server.enabled=false""");
			}
		}
	}

	private boolean isSpringBoots(String name, ConfigurableListableBeanFactory beanFactory) {
		if (!beanFactory.containsBeanDefinition(name)) {
			return false;
		}
		String configuration = beanFactory.getBeanDefinition(name).getFactoryBeanName();
		return configuration != null && configuration.startsWith(SPRING_BOOT_PACKAGE);
	}

}
