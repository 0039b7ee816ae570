package dev.grpcloop.benchmark;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.Locale;
import java.util.logging.Level;
import java.util.logging.Logger;

import dev.grpcloop.engine.Backend;
import dev.grpcloop.engine.EventLoopServerBuilder;
import io.grpc.Server;
import io.grpc.ServerBuilder;
import io.grpc.netty.NettyServerBuilder;

/**
 * A server without Spring in a JVM of its own, service code on its event loops: the rival
 * grpc-java, or our engine alone.
 */
final class BenchmarkServer {

	/**
	 * Held, or the level below could be lost with the logger.
	 */
	private static final Logger GRPC_JAVA = Logger.getLogger("io.grpc.netty");

	private BenchmarkServer() {
	}

	/**
	 * Serves until the process is ended.
	 * @param arguments {@code grpc-java PORT}, or {@code engine PORT BACKEND}
	 */
	public static void main(String[] arguments) throws IOException, InterruptedException {
		// h2load drops its connections at the end of a run, with calls open: grpc-java
		// logs
		// a stack trace for each, which must not count as the cost of its calls
		GRPC_JAVA.setLevel(Level.OFF);
		InetSocketAddress address = new InetSocketAddress(InetAddress.getLoopbackAddress(),
				Integer.parseInt(arguments[1]));
		Server server = builder(arguments, address).directExecutor().addService(new BenchmarkGreeter()).build().start();
		server.awaitTermination();
	}

	private static ServerBuilder<?> builder(String[] arguments, InetSocketAddress address) {
		return switch (arguments[0]) {
			case "grpc-java" -> NettyServerBuilder.forAddress(address);
			case "engine" -> EventLoopServerBuilder.forAddress(address)
				.backend(Backend.valueOf(arguments[2].toUpperCase(Locale.ROOT)));
			default -> throw new IllegalArgumentException(
					"Unknown server " + arguments[0] + "; there are grpc-java and engine");
		};
	}

}
