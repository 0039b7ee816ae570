package dev.grpcloop.boot.controller;

import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * What a user is told who has written a method that cannot serve its RPC.
 */
final class AllowedShapes {

	private AllowedShapes() {
	}

	/**
	 * Lists what a method that serves an RPC may look like.
	 * @param rpc the RPC
	 * @return a text of several lines
	 */
	static String of(RpcContract rpc) {
		return "A public method that serves " + rpc.describe() + " has one of these shapes:" + shapes(rpc)
				+ "Parameters of type io.grpc.Metadata (the headers of the request) and GrpcCallContext may be added,"
				+ " in any order.";
	}

	private static String shapes(RpcContract rpc) {
		String name = rpc.javaName();
		String request = rpc.request().getSimpleName();
		String response = rpc.response().getSimpleName();
		String requests = rpc.takesOneRequest() ? request + " request"
				: oneOf("Iterator|Stream|Flow.Publisher|Flux", request) + " requests";
		String separator = System.lineSeparator();
		if (rpc.givesOneResponse()) {
			return separator
					+ Stream.concat(Stream.of(response), Stream.of("CompletionStage", "Mono").map(wrap(response)))
						.map((result) -> "  " + result + " " + name + "(" + requests + ")" + separator)
						.collect(Collectors.joining());
		}
		return separator + "  " + oneOf("Iterator|Stream|Flow.Publisher|Flux", response) + " " + name + "(" + requests
				+ ")" + separator + "  void " + name + "(" + requests + ", GrpcSink<" + response + "> responses)"
				+ separator;
	}

	private static java.util.function.Function<String, String> wrap(String message) {
		return (container) -> container + "<" + message + ">";
	}

	private static String oneOf(String containers, String message) {
		return containers + "<" + message + ">";
	}

}
