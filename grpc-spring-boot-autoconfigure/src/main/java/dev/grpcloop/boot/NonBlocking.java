package dev.grpcloop.boot;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Runs the service code of a gRPC service, or of one of its methods, on the event loop.
 * It never blocks and never computes for long: it runs on the event loop with no
 * hand-off, whatever {@code grpc.server.executor.mode} says. On a method it counts for
 * more than on its class.
 *
 * @see Blocking
 */
@Documented
@Inherited
@Retention(RetentionPolicy.RUNTIME)
@Target({ ElementType.TYPE, ElementType.METHOD })
public @interface NonBlocking {

}
