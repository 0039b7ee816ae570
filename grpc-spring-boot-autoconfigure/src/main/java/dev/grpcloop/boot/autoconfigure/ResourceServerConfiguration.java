package dev.grpcloop.boot.autoconfigure;

import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.grpc.server.GlobalServerInterceptor;
import org.springframework.grpc.server.security.AuthenticationProcessInterceptor;
import org.springframework.grpc.server.security.GrpcSecurity;
import org.springframework.security.config.Customizer;
import org.springframework.security.oauth2.jwt.JwtDecoder;
import org.springframework.security.oauth2.server.resource.introspection.OpaqueTokenIntrospector;

/**
 * Every call needs a bearer token where the application is an OAuth 2 resource server,
 * unless it says otherwise with an {@link AuthenticationProcessInterceptor} of its own.
 */
@Configuration(proxyBeanMethods = false)
@ConditionalOnClass({ JwtDecoder.class, OpaqueTokenIntrospector.class })
@ConditionalOnBean(GrpcSecurity.class)
class ResourceServerConfiguration {

	@Bean
	@GlobalServerInterceptor
	@ConditionalOnBean(OpaqueTokenIntrospector.class)
	@ConditionalOnMissingBean
	AuthenticationProcessInterceptor grpcLoopOpaqueTokenInterceptor(GrpcSecurity security) throws Exception {
		return authenticated(security).oauth2ResourceServer((server) -> server.opaqueToken(Customizer.withDefaults()))
			.build();
	}

	@Bean
	@GlobalServerInterceptor
	@ConditionalOnBean(JwtDecoder.class)
	@ConditionalOnMissingBean
	AuthenticationProcessInterceptor grpcLoopJwtInterceptor(GrpcSecurity security) throws Exception {
		return authenticated(security).oauth2ResourceServer((server) -> server.jwt(Customizer.withDefaults())).build();
	}

	private static GrpcSecurity authenticated(GrpcSecurity security) throws Exception {
		return security.authorizeRequests((requests) -> requests.allRequests().authenticated());
	}

}
