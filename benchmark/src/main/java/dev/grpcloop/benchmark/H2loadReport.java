package dev.grpcloop.benchmark;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What h2load tells at its end. A call that was open when the time was over is neither
 * answered nor failed.
 *
 * @param callsPerSecond the throughput
 * @param answered the calls that came to an end
 * @param failed those that failed; 'errored' and 'timeout' are parts of it
 * @param dataBytes the bytes of DATA frames that came
 */
record H2loadReport(double callsPerSecond, long answered, long failed, long dataBytes) {

	private static final Pattern FINISHED = Pattern.compile("finished in \\S+, ([\\d.]+) req/s");

	private static final Pattern REQUESTS = Pattern
		.compile("requests: \\d+ total, \\d+ started, (\\d+) done, \\d+ succeeded, (\\d+) failed");

	private static final Pattern DATA = Pattern.compile("traffic: .*\\((\\d+)\\) data");

	static H2loadReport parse(String output) {
		Matcher finished = find(FINISHED, output);
		Matcher requests = find(REQUESTS, output);
		Matcher data = find(DATA, output);
		return new H2loadReport(Double.parseDouble(finished.group(1)), Long.parseLong(requests.group(1)),
				Long.parseLong(requests.group(2)), Long.parseLong(data.group(1)));
	}

	private static Matcher find(Pattern pattern, String output) {
		Matcher matcher = pattern.matcher(output);
		if (!matcher.find()) {
			throw new IllegalStateException(
					"The output of h2load has no '" + pattern + "'; known is that of 1.52:\n" + output);
		}
		return matcher;
	}

	/**
	 * How many calls were answered without the message. HTTP/2 knows nothing of
	 * grpc-status, so that a call that ends with an error is a success to h2load; it has
	 * no message, which shows in the bytes.
	 * @param messageBytes the length of the framed response message
	 */
	long withoutMessage(int messageBytes) {
		long missing = (this.answered - this.failed) * messageBytes - this.dataBytes;
		return (missing <= 0) ? 0 : (missing + messageBytes - 1) / messageBytes;
	}

}
