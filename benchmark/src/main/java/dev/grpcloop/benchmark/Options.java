package dev.grpcloop.benchmark;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;

/**
 * What the command line asks for.
 */
final class Options {

	static final String USAGE = """
			Usage: java -jar benchmark/target/benchmark.jar [OPTION...]
			  --cases LIST      of 1a,1b,2a,2b,3a,3b (clients x open calls on each: 1x1, 1x10, 10x1, 10x10,
			                    100x1, 100x10); default: all
			  --servers LIST    of grpc-java (its Netty server, directExecutor), event-loop (the sample application,
			                    service code on the loops), default (the sample application as it comes),
			                    engine (our engine without Spring and meters, directExecutor);
			                    default: grpc-java,event-loop,default
			  --backend LIST    of auto,nio,epoll,io_uring for our servers; more than one compares them;
			                    default: auto
			  --duration TIME   of one measurement, such as 3s or 500ms; default: 3s
			  --rounds N        measurements of each server in each case, of which the median counts; default: 3
			  --warm-up TIME    load on each server before the first measurement; default: 15s
			  --java PATH       the JDK, or its java command, that runs the servers; default: the one that runs this
			  --port N          the first of the ports that the servers listen on; default: 0, free ones
			  --sample-jar PATH the sample application; default: the one built beside this
			  --quick           --duration 1s --warm-up 6s, for a first look
			  --help            this text
			""";

	private static final Pattern TIME = Pattern.compile("(\\d{1,6})(ms|s|)");

	List<LoadCase> cases = LoadCase.ALL;

	List<ServerKind> servers = List.of(ServerKind.GRPC_JAVA, ServerKind.EVENT_LOOP, ServerKind.DEFAULT);

	List<String> backends = List.of("auto");

	Duration duration = Duration.ofSeconds(3);

	int rounds = 3;

	Duration warmUp = Duration.ofSeconds(15);

	Path java = javaCommand(Path.of(System.getProperty("java.home")));

	int port;

	@Nullable Path sampleJar;

	boolean help;

	static Options parse(String... arguments) {
		Options options = new Options();
		for (int i = 0; i < arguments.length; i++) {
			String option = arguments[i];
			switch (option) {
				case "--help" -> options.help = true;
				case "--quick" -> {
					options.duration = Duration.ofSeconds(1);
					options.warmUp = Duration.ofSeconds(6);
				}
				default -> {
					if (i + 1 == arguments.length) {
						throw new InvalidOptionException(
								"The option " + option + " is unknown, or its value is missing\n\n" + USAGE);
					}
					options.set(option, arguments[++i]);
				}
			}
		}
		return options;
	}

	private void set(String option, String value) {
		switch (option) {
			case "--cases" -> this.cases = list(value, LoadCase::of);
			case "--servers" -> this.servers = list(value, ServerKind::of);
			case "--backend" -> this.backends = list(value, Options::backend);
			case "--duration" -> this.duration = time(option, value);
			case "--rounds" -> this.rounds = number(option, value, 1, 1000);
			case "--warm-up" -> this.warmUp = time(option, value);
			case "--java" -> this.java = javaCommand(Path.of(value));
			case "--port" -> this.port = number(option, value, 0, 65535);
			case "--sample-jar" -> this.sampleJar = file(option, value);
			default -> throw new InvalidOptionException("There is no option " + option + "\n\n" + USAGE);
		}
	}

	private static <T> List<T> list(String value, Function<String, T> parser) {
		List<T> items = new ArrayList<>();
		Stream.of(value.split(",")).map(String::strip).map(parser).distinct().forEach(items::add);
		return List.copyOf(items);
	}

	private static String backend(String value) {
		List<String> known = List.of("auto", "nio", "epoll", "io_uring");
		if (!known.contains(value)) {
			throw new InvalidOptionException(
					"There is no backend '" + value + "'; there are " + String.join(", ", known));
		}
		return value;
	}

	private static Duration time(String option, String value) {
		Matcher matcher = TIME.matcher(value);
		if (!matcher.matches() || Long.parseLong(matcher.group(1)) == 0) {
			throw new InvalidOptionException(option + " is '" + value + "'; it must be a time such as 3s or 500ms");
		}
		long amount = Long.parseLong(matcher.group(1));
		return matcher.group(2).equals("ms") ? Duration.ofMillis(amount) : Duration.ofSeconds(amount);
	}

	private static int number(String option, String value, int least, int most) {
		try {
			int number = Integer.parseInt(value);
			if (number >= least && number <= most) {
				return number;
			}
		}
		catch (NumberFormatException ex) {
			// told below, with what is allowed
		}
		throw new InvalidOptionException(
				option + " is '" + value + "'; it must be a number from " + least + " to " + most);
	}

	private static Path file(String option, String value) {
		Path file = Path.of(value);
		if (!Files.isRegularFile(file)) {
			throw new InvalidOptionException(option + " is '" + value + "', which is not a file");
		}
		return file;
	}

	private static Path javaCommand(Path path) {
		Path command = Files.isDirectory(path) ? path.resolve("bin/java") : path;
		if (!Files.isExecutable(command)) {
			throw new InvalidOptionException(
					"No java command at " + command + "; --java takes the folder of a JDK, or its java command");
		}
		return command.toAbsolutePath();
	}

}
