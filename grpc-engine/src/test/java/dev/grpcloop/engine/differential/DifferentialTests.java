package dev.grpcloop.engine.differential;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import java.util.logging.Level;
import java.util.logging.Logger;
import java.util.stream.LongStream;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The same random calls against grpc-java's server and the engine give the same results,
 * but for what {@link Difference} lists.
 */
class DifferentialTests {

	private static final int CALLS = 150;

	/** Held, since the loggers are collected otherwise and forget their level. */
	private static final Logger[] LOGGERS = { Logger.getLogger("io.grpc"), Logger.getLogger("dev.grpcloop.engine") };

	private static final Map<Contestant, Arena> ARENAS = new EnumMap<>(Contestant.class);

	@BeforeAll
	static void start() throws Exception {
		for (Logger logger : LOGGERS) {
			logger.setLevel(Level.OFF);
		}
		for (Contestant contestant : Contestant.values()) {
			ARENAS.put(contestant, new Arena(contestant));
		}
	}

	@AfterAll
	static void stop() throws Exception {
		for (Arena arena : ARENAS.values()) {
			arena.close();
		}
		ARENAS.clear();
		for (Logger logger : LOGGERS) {
			logger.setLevel(null);
		}
	}

	/**
	 * Fixed in the build; {@code -Ddifferential.seed} begins elsewhere.
	 */
	static LongStream seeds() {
		long first = Long.getLong("differential.seed", 1);
		return LongStream.range(first, first + 4);
	}

	@ParameterizedTest
	@MethodSource("seeds")
	void theSameCallsHaveTheSameResults(long seed) {
		ScriptGenerator generator = new ScriptGenerator(seed);
		List<String> differences = new ArrayList<>();
		for (int i = 0; i < CALLS; i++) {
			CallScript script = generator.next();
			String call = "call " + i + " of seed " + seed + " at ";
			Outcome reference = run(Contestant.GRPC_JAVA_DIRECT, script);
			if (!script.dividesGrpcJava()) {
				differences.addAll(compare(call, Contestant.GRPC_JAVA_EXECUTOR, script,
						(outcome) -> Difference.expectOfGrpcJava(script, reference, outcome)));
			}
			CallScript promised = Difference.rewriteAll(script);
			Outcome right = run(Contestant.GRPC_JAVA_DIRECT, promised);
			for (Contestant contestant : List.of(Contestant.ENGINE_ON_THE_LOOP, Contestant.ENGINE_OFF_THE_LOOP)) {
				differences.addAll(
						compare(call, contestant, script, (outcome) -> Difference.expectAll(promised, right, outcome)));
			}
		}
		assertThat(differences).isEmpty();
	}

	private static List<String> compare(String call, Contestant contestant, CallScript script,
			UnaryOperator<Outcome> expected) {
		Outcome outcome = run(contestant, script);
		String unlike = outcome.unlike(expected.apply(outcome));
		return unlike.isEmpty() ? List.of() : List.of(call + contestant + unlike + "\n  " + script);
	}

	private static Outcome run(Contestant contestant, CallScript script) {
		try {
			return ARENAS.get(contestant).run(script);
		}
		catch (AssertionError ex) {
			throw new AssertionError("At " + contestant + ": " + ex.getMessage(), ex);
		}
	}

}
