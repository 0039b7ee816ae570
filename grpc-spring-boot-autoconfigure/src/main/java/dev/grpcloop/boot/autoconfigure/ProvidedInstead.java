package dev.grpcloop.boot.autoconfigure;

import java.util.List;

import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.diagnostics.FailureAnalyzedException;
import org.springframework.core.env.Environment;

/**
 * Refuses properties of what a bean brings: one of the two would count for nothing.
 */
final class ProvidedInstead {

	private static final List<String> LOOPS = List.of("grpc.server.backend", "grpc.server.workers");

	private static final List<String> EXECUTOR = List.of("grpc.server.executor.mode",
			"grpc.server.executor.max-threads", "grpc.server.executor.queue-capacity");

	private ProvidedInstead() {
	}

	static void refuseLoopProperties(Environment environment) {
		refuse(environment, LOOPS, "GrpcEventLoopProvider", "event loops");
	}

	static void refuseExecutorProperties(Environment environment) {
		refuse(environment, EXECUTOR, "GrpcServerExecutorProvider", "executor");
	}

	private static void refuse(Environment environment, List<String> properties, String type, String what) {
		Binder binder = Binder.get(environment);
		properties.forEach((property) -> binder.bind(property, String.class).ifBound((value) -> {
			throw new FailureAnalyzedException(
					property + " is '" + value + "', but a " + type + " bean brings the server's " + what + ".",
					"Remove the property, or remove the bean.");
		}));
	}

}
