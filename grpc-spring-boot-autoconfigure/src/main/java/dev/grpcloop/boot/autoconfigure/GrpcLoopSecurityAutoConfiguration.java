package dev.grpcloop.boot.autoconfigure;

import dev.grpcloop.boot.autoconfigure.BooleanPropertyCondition.OnServerEnabled;
import dev.grpcloop.engine.EventLoopServer;

import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.context.annotation.Conditional;
import org.springframework.context.annotation.Import;
import org.springframework.grpc.server.GrpcServerFactory;
import org.springframework.grpc.server.security.GrpcSecurity;
import org.springframework.security.config.ObjectPostProcessor;

/**
 * {@link EnableAutoConfiguration Auto-configuration} of {@link GrpcSecurity}, for
 * applications with Spring Security. Where Spring Boot's own gRPC modules configure it,
 * it gives way to them.
 */
@AutoConfiguration(after = GrpcLoopServerAutoConfiguration.class, afterName = {
		"org.springframework.boot.grpc.server.autoconfigure.security.GrpcServerSecurityAutoConfiguration",
		"org.springframework.boot.grpc.server.autoconfigure.security.GrpcServerOAuth2ResourceServerAutoConfiguration",
		"org.springframework.boot.security.autoconfigure.SecurityAutoConfiguration",
		"org.springframework.boot.security.oauth2.server.resource.autoconfigure.OAuth2ResourceServerAutoConfiguration" },
		beforeName = "org.springframework.boot.security.autoconfigure.UserDetailsServiceAutoConfiguration")
@ConditionalOnClass({ EventLoopServer.class, GrpcServerFactory.class, ObjectPostProcessor.class })
@Conditional(OnServerEnabled.class)
@Import({ SecurityConfiguration.class, ResourceServerConfiguration.class })
public final class GrpcLoopSecurityAutoConfiguration {

}
