package dev.grpcloop.boot.autoconfigure;

import java.util.List;

import dev.grpcloop.boot.server.EventLoopGrpcServerFactory;
import dev.grpcloop.boot.service.LocalServices;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;

import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.SearchStrategy;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/**
 * What is said where an ancestor of the context has the server: it sees none of the
 * services here, and there is no second one.
 */
@Configuration(proxyBeanMethods = false)
@ConditionalOnBean(EventLoopGrpcServerFactory.class)
@ConditionalOnMissingBean(value = EventLoopGrpcServerFactory.class, search = SearchStrategy.CURRENT)
class DescendantConfiguration {

	private static final Log logger = LogFactory.getLog(GrpcLoopServerAutoConfiguration.class);

	@Bean
	@ConditionalOnMissingBean(name = "grpcLoopUnservedServicesMessage", search = SearchStrategy.CURRENT)
	SmartInitializingSingleton grpcLoopUnservedServicesMessage(ConfigurableListableBeanFactory beanFactory) {
		return () -> {
			List<String> names = LocalServices.names(beanFactory);
			if (!names.isEmpty()) {
				logger.warn("These gRPC services are not served, since the server belongs to a parent of their "
						+ "application context: '" + String.join("', '", names)
						+ "'. Declare them in the parent, or start the server here only: set grpc.server.enabled=false "
						+ "for the parent.");
			}
		};
	}

}
