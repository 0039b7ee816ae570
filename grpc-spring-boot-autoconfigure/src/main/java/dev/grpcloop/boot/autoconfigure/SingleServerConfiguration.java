package dev.grpcloop.boot.autoconfigure;

import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/**
 * What must be checked where Spring Boot's own gRPC server is on the class path.
 */
@Configuration(proxyBeanMethods = false)
@ConditionalOnClass(name = "org.springframework.boot.grpc.server.autoconfigure.GrpcServerAutoConfiguration")
class SingleServerConfiguration {

	@Bean
	@ConditionalOnMissingBean
	static SingleServerCheck grpcLoopSingleServerCheck() {
		return new SingleServerCheck();
	}

}
