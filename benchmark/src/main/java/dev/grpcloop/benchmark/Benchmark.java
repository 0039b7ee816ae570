package dev.grpcloop.benchmark;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * Compares servers by throughput and by processor time per call, and prints a table.
 */
public final class Benchmark {

	private Benchmark() {
	}

	/**
	 * Runs the benchmark. Exits with 1 if a call failed, with 2 if it cannot run as
	 * asked.
	 * @param arguments see {@code --help}
	 * @throws IOException if a process cannot be started or read
	 * @throws InterruptedException if the thread is interrupted
	 */
	public static void main(String[] arguments) throws IOException, InterruptedException {
		try {
			Options options = Options.parse(arguments);
			if (options.help) {
				System.out.print(Options.USAGE);
				return;
			}
			System.exit(run(options) ? 0 : 1);
		}
		catch (InvalidOptionException ex) {
			System.err.println(ex.getMessage());
			System.exit(2);
		}
	}

	private static boolean run(Options options) throws IOException, InterruptedException {
		Path folder = Files.createDirectories(ServerCommand.ownJar().resolveSibling("benchmark-output"));
		try (ChildProcesses processes = new ChildProcesses()) {
			CpuClock clock = CpuClock.ofThisMachine();
			H2load generator = new H2load(folder, processes);
			List<ServerCommand> commands = ServerCommand.of(options);
			System.out.print(Machine.describe(options, generator.getVersion()));
			List<RunningServer> servers = start(commands, options, folder, processes);
			System.out.printf("%-14s%s%n%-14s%s%n", "load", generator.describe(options.duration), "output", folder);
			Results results = new InterleavedRun(options, generator, clock, servers).measure();
			System.out.println();
			System.out.print(new Report(baseline(servers)).format(results));
			return results.failed() == 0;
		}
	}

	private static List<RunningServer> start(List<ServerCommand> commands, Options options, Path folder,
			ChildProcesses processes) throws IOException, InterruptedException {
		List<RunningServer> servers = new ArrayList<>();
		for (ServerCommand command : commands) {
			int port = (options.port != 0) ? options.port + servers.size() : 0;
			RunningServer server = RunningServer.start(command, port, folder, processes);
			System.out.printf("%-14s%s%n", command.label(), String.join(" ", command.onPort(server.port())));
			servers.add(server);
		}
		return servers;
	}

	/**
	 * The rival, or the first of the servers if it takes no part.
	 */
	private static String baseline(List<RunningServer> servers) {
		return servers.stream()
			.filter((server) -> !server.command().kind().isOurs())
			.findFirst()
			.orElse(servers.get(0))
			.command()
			.label();
	}

}
