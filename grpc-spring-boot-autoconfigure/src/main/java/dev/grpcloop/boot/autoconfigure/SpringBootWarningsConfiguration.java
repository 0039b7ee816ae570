package dev.grpcloop.boot.autoconfigure;

import dev.grpcloop.boot.autoconfigure.BooleanPropertyCondition.OnFactoryEnabled;
import dev.grpcloop.boot.server.EventLoopGrpcServerFactory;
import io.grpc.BindableService;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;

import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.SearchStrategy;
import org.springframework.context.ApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Conditional;
import org.springframework.context.annotation.Configuration;

/**
 * What is said at the start of a server in the place of Spring Boot's.
 */
@Configuration(proxyBeanMethods = false)
@ConditionalOnSpringBootServer
class SpringBootWarningsConfiguration {

	private static final Log logger = LogFactory.getLog(GrpcLoopServerAutoConfiguration.class);

	@Bean
	@ConditionalOnBean(value = EventLoopGrpcServerFactory.class, search = SearchStrategy.CURRENT)
	@ConditionalOnMissingBean
	InapplicableProperties grpcLoopInapplicableProperties(ApplicationContext context) {
		return new InapplicableProperties(context);
	}

	@Bean
	@ConditionalOnMissingBean(value = BindableService.class, name = "grpcLoopNoServicesMessage")
	@Conditional(OnFactoryEnabled.class)
	SmartInitializingSingleton grpcLoopNoServicesMessage() {
		return () -> logger.info("No gRPC server is started: the application has no BindableService bean");
	}

}
