package dev.grpcloop.boot.autoconfigure;

import dev.grpcloop.boot.controller.GrpcControllerRegistrar;
import dev.grpcloop.boot.executor.CallExecutorFactory;
import dev.grpcloop.boot.executor.CallTaskExecutor;

import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;

/**
 * Services of plain methods.
 */
@Configuration(proxyBeanMethods = false)
@Import(GrpcControllerRegistrar.class)
class ControllerConfiguration {

	@Bean
	@ConditionalOnMissingBean
	CallTaskExecutor grpcLoopCallTaskExecutor(CallExecutorFactory executors) {
		return new CallTaskExecutor(executors);
	}

}
