package dev.grpcloop.boot.autoconfigure;

import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.ApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.grpc.server.security.GrpcSecurity;
import org.springframework.grpc.server.security.SecurityGrpcExceptionHandler;
import org.springframework.security.config.ObjectPostProcessor;
import org.springframework.security.config.annotation.authentication.builders.AuthenticationManagerBuilder;
import org.springframework.security.config.annotation.authentication.configuration.AuthenticationConfiguration;
import org.springframework.security.config.annotation.authentication.configuration.EnableGlobalAuthentication;

/**
 * What an application says with {@link GrpcSecurity}, and how clients hear of a refusal.
 */
@Configuration(proxyBeanMethods = false)
@ConditionalOnMissingBean(GrpcSecurity.class)
@EnableGlobalAuthentication
@Import(AuthenticationConfiguration.class)
class SecurityConfiguration {

	@Bean
	@ConditionalOnMissingBean
	SecurityGrpcExceptionHandler grpcLoopSecurityExceptionHandler() {
		return new SecurityGrpcExceptionHandler();
	}

	@Bean
	@ConditionalOnMissingBean
	GrpcSecurity grpcLoopSecurity(ApplicationContext context, ObjectPostProcessor<Object> objectPostProcessor,
			AuthenticationConfiguration authentication) {
		AuthenticationManagerBuilder managers = authentication.authenticationManagerBuilder(objectPostProcessor,
				context);
		managers.parentAuthenticationManager(authentication.getAuthenticationManager());
		return new GrpcSecurity(objectPostProcessor, managers, context);
	}

}
