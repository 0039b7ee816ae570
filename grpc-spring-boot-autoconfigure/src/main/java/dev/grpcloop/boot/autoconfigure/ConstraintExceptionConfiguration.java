package dev.grpcloop.boot.autoconfigure;

import dev.grpcloop.boot.validation.OwnArguments;

import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/**
 * The status of violated constraints that reach the end of a call as an exception. It
 * does not depend on whether requests are validated by us.
 */
@Configuration(proxyBeanMethods = false)
@ConditionalOnClass(name = { "jakarta.validation.ConstraintViolationException", "io.grpc.protobuf.StatusProto" })
class ConstraintExceptionConfiguration {

	@Bean
	@ConditionalOnMissingBean
	OwnArguments grpcLoopOwnArguments() {
		return new OwnArguments();
	}

}
