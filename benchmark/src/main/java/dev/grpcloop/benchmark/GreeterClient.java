package dev.grpcloop.benchmark;

import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.TimeUnit;

import helloworld.v1.GreeterGrpc;
import helloworld.v1.GreeterHelloRequest;
import io.grpc.ManagedChannel;
import io.grpc.netty.NettyChannelBuilder;

/**
 * Calls {@code helloworld.v1.Greeter/Hello} once.
 */
final class GreeterClient {

	private static final long DEADLINE_SECONDS = 10;

	private GreeterClient() {
	}

	/**
	 * Prints the answer to one call.
	 * @param arguments the server's {@code HOST:PORT} and the name to greet
	 */
	public static void main(String[] arguments) throws InterruptedException {
		if (arguments.length != 2) {
			System.err.println("Usage: GreeterClient HOST:PORT NAME");
			System.exit(2);
		}
		String answer = hello(arguments[0], arguments[1]);
		// in UTF-8 whatever the locale, for programs that read it
		new PrintStream(System.out, true, StandardCharsets.UTF_8).println(answer);
	}

	/**
	 * Makes one call on a connection of its own.
	 * @param target the server's {@code HOST:PORT}
	 * @param name the name to greet
	 * @return the message that the server answers
	 * @throws io.grpc.StatusRuntimeException if the call fails, or takes more than 10 s
	 */
	static String hello(String target, String name) throws InterruptedException {
		ManagedChannel channel = NettyChannelBuilder.forTarget(target).usePlaintext().build();
		try {
			return GreeterGrpc.newBlockingStub(channel)
				.withDeadlineAfter(DEADLINE_SECONDS, TimeUnit.SECONDS)
				.hello(GreeterHelloRequest.newBuilder().setName(name).build())
				.getMessage();
		}
		finally {
			channel.shutdownNow().awaitTermination(DEADLINE_SECONDS, TimeUnit.SECONDS);
		}
	}

}
