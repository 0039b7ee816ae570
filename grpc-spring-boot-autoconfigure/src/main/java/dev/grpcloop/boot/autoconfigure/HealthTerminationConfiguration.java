package dev.grpcloop.boot.autoconfigure;

import java.util.stream.Stream;

import io.grpc.protobuf.services.HealthStatusManager;

import org.springframework.beans.factory.config.BeanFactoryPostProcessor;
import org.springframework.beans.factory.support.AbstractBeanDefinition;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/**
 * Our server has every manager enter its terminal state when it stops. A bean that does
 * so itself, as Spring Boot's, comes after that, and grpc-java logs a stack trace.
 */
@Configuration(proxyBeanMethods = false)
@ConditionalOnClass(HealthStatusManager.class)
class HealthTerminationConfiguration {

	private static final String TERMINATION = "enterTerminalState";

	@Bean
	@ConditionalOnMissingBean(name = "grpcLoopHealthTermination")
	static BeanFactoryPostProcessor grpcLoopHealthTermination() {
		return (beanFactory) -> Stream.of(beanFactory.getBeanDefinitionNames())
			.map(beanFactory::getBeanDefinition)
			.filter((definition) -> TERMINATION.equals(definition.getDestroyMethodName()))
			.filter(AbstractBeanDefinition.class::isInstance)
			.forEach((definition) -> ((AbstractBeanDefinition) definition).setDestroyMethodName(null));
	}

}
