package dev.grpcloop.boot.autoconfigure;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

import dev.grpcloop.boot.server.ServerMode;

import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingClass;

/**
 * Matches where Spring Boot's own gRPC server module is not on the class path: it does
 * some things itself that we do without it.
 *
 * @see ServerMode#ALONE
 */
@Retention(RetentionPolicy.RUNTIME)
@Target({ ElementType.TYPE, ElementType.METHOD })
@ConditionalOnMissingClass(ServerMode.SPRING_BOOT_CLASS)
@interface ConditionalOnMissingSpringBootServer {

}
