package dev.grpcloop.boot;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

import org.springframework.stereotype.Component;

/**
 * Serves a gRPC service with plain methods: no generated base class, no observers.
 *
 * <pre class="code">
 * &#064;GrpcController(GreeterGrpc.class)
 * class GreeterController {
 *
 *     public HelloReply sayHello(HelloRequest request) {
 *         return HelloReply.newBuilder().setMessage("Hello " + request.getName()).build();
 *     }
 *
 * }
 * </pre>
 *
 * A public method serves the RPC whose generated Java name it bears, or that
 * {@link GrpcMethod} names. Which parameters and results it may have is a matter of the
 * RPC's kind: the start fails with the list where a method has others. An RPC without a
 * method is answered with {@code UNIMPLEMENTED}.
 * <p>
 * It stands on a class, as a stereotype that component scanning finds, beside
 * {@code @Bean} on a method, or on another annotation. Advice of the bean runs once for
 * each call.
 *
 * @see GrpcMethod
 * @see GrpcSink
 * @see GrpcCallContext
 */
@Documented
@Component
@Retention(RetentionPolicy.RUNTIME)
@Target({ ElementType.TYPE, ElementType.METHOD })
public @interface GrpcController {

	/**
	 * The class that {@code protoc-gen-grpc-java} has generated for the service, for
	 * example {@code GreeterGrpc}. Its static method {@code getServiceDescriptor} says
	 * which methods and messages there are.
	 * @return the generated class
	 */
	Class<?> value();

}
