package dev.grpcloop.benchmark;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;

/**
 * Loads the servers in turns, one at a time: whatever else the machine does meanwhile
 * hits all of them alike. The turn begins with another server in each round.
 */
final class InterleavedRun {

	private static final int MESSAGE_BYTES = 5 + BenchmarkGreeter.answer("grpc-client").getSerializedSize();

	private final Options options;

	private final H2load generator;

	private final CpuClock clock;

	private final List<RunningServer> servers;

	InterleavedRun(Options options, H2load generator, CpuClock clock, List<RunningServer> servers) {
		this.options = options;
		this.generator = generator;
		this.clock = clock;
		this.servers = List.copyOf(servers);
	}

	/**
	 * Warms up, then measures every case of every round.
	 */
	Results measure() throws IOException, InterruptedException {
		warmUp();
		Results results = new Results();
		List<RunningServer> turn = new ArrayList<>(this.servers);
		for (int round = 1; round <= this.options.rounds; round++) {
			for (LoadCase load : this.options.cases) {
				for (RunningServer server : turn) {
					Measurement measurement = measure(load, server);
					results.add(load, server.command().label(), measurement);
					System.out.printf(Locale.ROOT, "round %d/%d  %s  %-20s %,12.0f calls/s %8.2f us/call%n", round,
							this.options.rounds, load.id(), server.command().label(), measurement.callsPerSecond(),
							measurement.cpuMicrosPerCall());
				}
			}
			Collections.rotate(turn, -1);
		}
		return results;
	}

	private void warmUp() throws IOException, InterruptedException {
		Duration each = this.options.warmUp.dividedBy(this.options.cases.size());
		System.out.println("warming up: " + this.options.warmUp.toMillis() / 1000.0 + " s of load on each server");
		for (LoadCase load : this.options.cases) {
			for (RunningServer server : this.servers) {
				this.generator.run(load, each, server.port());
			}
		}
	}

	private Measurement measure(LoadCase load, RunningServer server) throws IOException, InterruptedException {
		long pid = server.process().pid();
		double before = this.clock.micros(pid);
		H2loadReport report = this.generator.run(load, this.options.duration, server.port());
		double cpuMicros = this.clock.micros(pid) - before;
		if (report.answered() == 0) {
			throw new IllegalStateException(
					server.command().label() + " answered no call of case " + load.id() + "; see " + server.log());
		}
		return Measurement.of(report, cpuMicros, MESSAGE_BYTES);
	}

}
