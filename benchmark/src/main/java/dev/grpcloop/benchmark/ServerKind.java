package dev.grpcloop.benchmark;

import java.util.Locale;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The servers that can be compared. Each runs in a JVM of its own.
 */
enum ServerKind {

	/** The rival: grpc-java's Netty server with {@code directExecutor()}. */
	GRPC_JAVA,

	/** The sample application, service code on the event loops, with its meters. */
	EVENT_LOOP,

	/**
	 * The sample application as it comes: service code off the loops, with its meters.
	 */
	DEFAULT,

	/** Our engine without Spring and without meters, {@code directExecutor()}. */
	ENGINE;

	static ServerKind of(String label) {
		return Stream.of(values())
			.filter((kind) -> kind.label().equals(label))
			.findFirst()
			.orElseThrow(() -> new InvalidOptionException("There is no server '" + label + "'; there are "
					+ Stream.of(values()).map(ServerKind::label).collect(Collectors.joining(", "))));
	}

	String label() {
		return name().toLowerCase(Locale.ROOT).replace('_', '-');
	}

	/**
	 * Whether it runs on a backend of our engine; the rival chooses its transport itself.
	 */
	boolean isOurs() {
		return this != GRPC_JAVA;
	}

	boolean isSample() {
		return this == EVENT_LOOP || this == DEFAULT;
	}

}
