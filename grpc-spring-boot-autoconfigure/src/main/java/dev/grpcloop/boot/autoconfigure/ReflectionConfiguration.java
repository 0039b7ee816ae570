package dev.grpcloop.boot.autoconfigure;

import dev.grpcloop.boot.autoconfigure.BooleanPropertyCondition.OnReflectionEnabled;
import dev.grpcloop.boot.reflection.ReflectionServices;
import io.grpc.protobuf.services.ProtoReflectionServiceV1;

import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Conditional;
import org.springframework.context.annotation.Configuration;

/**
 * Reflection where grpc-services is there.
 */
@Configuration(proxyBeanMethods = false)
@ConditionalOnClass(ProtoReflectionServiceV1.class)
@ConditionalOnMissingSpringBootServer
@Conditional(OnReflectionEnabled.class)
class ReflectionConfiguration {

	@Bean
	@ConditionalOnMissingBean
	ReflectionServices grpcLoopReflectionServices() {
		return new ReflectionServices();
	}

}
