package dev.grpcloop.boot.metrics;

import java.util.EnumSet;
import java.util.Set;
import java.util.function.ToLongBiFunction;

import dev.grpcloop.boot.statistics.ErrorCode;
import dev.grpcloop.boot.statistics.LoopStatistics;

/**
 * A counter for each error code of HTTP/2 that happens, and one for all others: most of a
 * counter for each code there is would be 0 for ever, on every server.
 *
 * @param name the name of the counters
 * @param description what they count
 */
record ErrorCounters(String name, String description) {

	private static final String ERROR = "error";

	private static final String OTHER = "other";

	/**
	 * Registers the counters.
	 * @param meters where
	 * @param known the codes that have a counter of their own
	 * @param number gives the number of a code on a loop
	 * @param tag the name of the tag beside the code
	 * @param value its value
	 */
	void register(Registration meters, Set<ErrorCode> known, ToLongBiFunction<LoopStatistics, ErrorCode> number,
			String tag, String value) {
		for (ErrorCode code : known) {
			meters.counter(this.name, this.description,
					(sources) -> sources.loops((loop) -> number.applyAsLong(loop, code)), ERROR, code.name(), tag,
					value);
		}
		Set<ErrorCode> others = EnumSet.complementOf(EnumSet.copyOf(known));
		meters.counter(this.name, this.description,
				(sources) -> sources
					.loops((loop) -> others.stream().mapToLong((code) -> number.applyAsLong(loop, code)).sum()),
				ERROR, OTHER, tag, value);
	}

}
