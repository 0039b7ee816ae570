package dev.grpcloop.boot.testsupport;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

import org.junit.jupiter.api.Tag;

/**
 * A test that needs Spring Boot's own gRPC modules. They are not on the class path of
 * other tests: the build runs these in a process of their own.
 */
@Target({ ElementType.TYPE, ElementType.METHOD })
@Retention(RetentionPolicy.RUNTIME)
@Tag("beside-spring-boot")
public @interface BesideSpringBoot {

}
