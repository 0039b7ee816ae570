package dev.grpcloop.boot;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Names the RPC that a public method of a {@link GrpcController} serves, where the method
 * does not bear its generated name.
 */
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target({ ElementType.METHOD, ElementType.ANNOTATION_TYPE })
public @interface GrpcMethod {

	/**
	 * The name of the RPC as the {@code .proto} file has it, such as {@code SayHello}; or
	 * its full name, such as {@code helloworld.Greeter/SayHello}.
	 * @return the name; one that the service does not have fails the start
	 */
	String value();

}
