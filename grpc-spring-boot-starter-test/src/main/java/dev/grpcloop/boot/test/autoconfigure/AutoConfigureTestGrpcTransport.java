package dev.grpcloop.boot.test.autoconfigure;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.grpc.client.GrpcChannelFactory;

/**
 * Serves the gRPC services of the application within the process instead of on a port,
 * for the test class that it stands on.
 * <p>
 * Calls go through grpc-java's in-process transport, with all interceptors of the server,
 * but without HTTP/2 and without the event-loop engine. Clients that are injected into
 * the test (see {@link LocalGrpcClient}) use it, and so do all channels of a
 * {@link GrpcChannelFactory}, whatever their target.
 * <p>
 * It has the name of Spring Boot's annotation, which can be used as well where Spring
 * Boot's test module for gRPC is on the class path.
 */
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@Documented
@Inherited
@ImportAutoConfiguration
public @interface AutoConfigureTestGrpcTransport {

	/**
	 * Whether the servers that the application configures are started too, the one that
	 * listens on a port and the one within the process that has a name. It sets
	 * {@code grpc.server.factory.enabled}.
	 * @return {@code false} by default
	 */
	boolean enableServerFactory() default false;

	/**
	 * Whether Spring Boot's client module goes on to configure factories of channels,
	 * beside the one whose channels all lead to the test's server. It sets
	 * {@code spring.grpc.client.channelfactory.enabled}.
	 * @return {@code false} by default
	 */
	boolean enableChannelFactory() default false;

}
