package dev.grpcloop.sample;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;

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

}
