package dev.grpcloop.engine;

import java.util.Arrays;
import java.util.stream.Stream;

/**
 * A way to run the server.
 *
 * @param mode where service code runs
 * @param backend how the loops do their I/O
 */
record Variant(Mode mode, Backend backend) {

	/**
	 * Returns each mode on each backend that this machine has.
	 */
	static Stream<Variant> all() {
		return backends().flatMap((backend) -> Arrays.stream(Mode.values()).map((mode) -> new Variant(mode, backend)));
	}

	static Stream<Backend> backends() {
		return Arrays.stream(Backend.values()).filter((backend) -> backend != Backend.AUTO && backend.isAvailable());
	}

	void apply(EventLoopServerBuilder builder) {
		this.mode.apply(builder);
		builder.backend(this.backend);
	}

	@Override
	public String toString() {
		return this.mode + ", " + this.backend;
	}

}
