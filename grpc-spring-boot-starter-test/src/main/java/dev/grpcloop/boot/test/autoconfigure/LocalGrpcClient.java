package dev.grpcloop.boot.test.autoconfigure;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

import io.grpc.Channel;
import io.grpc.ManagedChannel;
import io.grpc.stub.AbstractStub;

import org.springframework.beans.factory.annotation.Autowired;

/**
 * Injects a client of the gRPC server that the test has started: a stub of any generated
 * type (see {@link AbstractStub}), a {@link Channel} or a {@link ManagedChannel}.
 * <p>
 * A test class gets the same by {@link Autowired @Autowired} as long as its application
 * has no bean of that type. This annotation says that the test's own server is meant
 * whatever the application has, and does so in beans too, such as those of a
 * {@code @TestConfiguration}.
 * <p>
 * The connection is made at the first call, and closed with the application context. None
 * of the application's client interceptors is in between.
 */
@Target({ ElementType.FIELD, ElementType.METHOD, ElementType.PARAMETER, ElementType.ANNOTATION_TYPE })
@Retention(RetentionPolicy.RUNTIME)
@Documented
@Autowired
public @interface LocalGrpcClient {

}
