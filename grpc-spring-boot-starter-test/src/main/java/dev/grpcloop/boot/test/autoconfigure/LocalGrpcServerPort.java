package dev.grpcloop.boot.test.autoconfigure;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

import org.springframework.beans.factory.annotation.Value;

/**
 * Injects the TCP port that the gRPC server of a test listens on, into a field or a
 * parameter. Short for {@code @Value("${local.grpc.server.port}")}.
 * <p>
 * There is none, and the injection fails, where no server listens: with
 * {@link AutoConfigureTestGrpcTransport @AutoConfigureTestGrpcTransport} and in a
 * {@link GrpcServiceTest @GrpcServiceTest}.
 */
@Target({ ElementType.FIELD, ElementType.METHOD, ElementType.PARAMETER, ElementType.ANNOTATION_TYPE })
@Retention(RetentionPolicy.RUNTIME)
@Documented
@Value("${local.grpc.server.port}")
public @interface LocalGrpcServerPort {

}
