package dev.grpcloop.boot.autoconfigure;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

import dev.grpcloop.boot.server.ServerMode;

import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;

/**
 * Matches where Spring Boot's own gRPC server module is on the class path.
 *
 * @see ServerMode#BESIDE_SPRING_BOOT
 */
@Retention(RetentionPolicy.RUNTIME)
@Target({ ElementType.TYPE, ElementType.METHOD })
@ConditionalOnClass(name = ServerMode.SPRING_BOOT_CLASS)
@interface ConditionalOnSpringBootServer {

}
