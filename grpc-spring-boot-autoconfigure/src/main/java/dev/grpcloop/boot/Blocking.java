package dev.grpcloop.boot;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Runs the service code of a gRPC service, or of one of its methods, off the event loop.
 * It may block: it runs on the executor of the server, whatever
 * {@code grpc.server.executor.mode} says. On a method it counts for more than on its
 * class.
 *
 * @see NonBlocking
 */
@Documented
@Inherited
@Retention(RetentionPolicy.RUNTIME)
@Target({ ElementType.TYPE, ElementType.METHOD })
public @interface Blocking {

}
