package dev.grpcloop.sample;

import io.grpc.BindableService;
import io.grpc.protobuf.services.ProtoReflectionServiceV1;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.context.annotation.Bean;

/**
 * Serves gRPC on port 9090 and actuator on port 8080, see {@code application.yml}.
 */
@SpringBootApplication
public class SampleApplication {

	/**
	 * Starts the application.
	 * @param arguments properties, such as {@code --grpc.server.port=9091}
	 */
	public static void main(String[] arguments) {
		SpringApplication.run(SampleApplication.class, arguments);
	}

	/**
	 * Lets tools ask which services there are, so that they need no proto file.
	 * @return the standard reflection service
	 */
	@Bean
	BindableService reflectionService() {
		return ProtoReflectionServiceV1.newInstance();
	}

}
