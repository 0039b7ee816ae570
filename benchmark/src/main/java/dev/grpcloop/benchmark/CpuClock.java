package dev.grpcloop.benchmark;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;

/**
 * Reads how long a process has kept processors busy, in user and in kernel mode, from
 * {@code /proc/PID/stat} (proc(5), fields 14 and 15).
 */
final class CpuClock {

	private static final int UTIME_AFTER_NAME = 11;

	private static final int STIME_AFTER_NAME = 12;

	private final double microsPerTick;

	/**
	 * A clock for a system's tick.
	 * @param ticksPerSecond how many ticks the kernel counts in a second
	 */
	CpuClock(long ticksPerSecond) {
		this.microsPerTick = (double) TimeUnit.SECONDS.toMicros(1) / ticksPerSecond;
	}

	/**
	 * The clock of this machine.
	 */
	static CpuClock ofThisMachine() throws IOException, InterruptedException {
		if (!Files.isReadable(Path.of("/proc/self/stat"))) {
			throw new InvalidOptionException("There is no /proc/self/stat here; the benchmark reads the servers'"
					+ " processor time from there, and runs on Linux only");
		}
		return new CpuClock(Long.parseLong(CommandOutput.firstLine("getconf", "CLK_TCK")));
	}

	/**
	 * Returns the processor time of a process so far, in microseconds.
	 */
	double micros(long pid) throws IOException {
		return micros(Files.readString(Path.of("/proc/" + pid + "/stat")));
	}

	double micros(String stat) {
		// the name stands in parentheses and may hold spaces and parentheses itself
		String[] fields = stat.substring(stat.lastIndexOf(')') + 2).split(" ");
		return (Long.parseLong(fields[UTIME_AFTER_NAME]) + Long.parseLong(fields[STIME_AFTER_NAME]))
				* this.microsPerTick;
	}

}
