package dev.grpcloop.engine.differential;

import java.util.List;
import java.util.Map;

import io.grpc.Status;
import org.jspecify.annotations.Nullable;

/**
 * What a call came to.
 *
 * @param headers the response headers, or {@code null} if there were none
 * @param messages the responses
 * @param code the status
 * @param description its description
 * @param trailers the trailers
 * @param seen the request's metadata as the service saw it, or {@code null}
 * @param events what the server's listener heard until the service was done
 * @param end the callback that ended the call, or how it never began
 */
record Outcome(@Nullable Map<String, List<String>> headers, List<String> messages, Status.Code code,
		@Nullable String description, Map<String, List<String>> trailers, @Nullable Map<String, List<String>> seen,
		List<String> events, String end) {

	Outcome withHeaders(@Nullable Map<String, List<String>> headers) {
		return new Outcome(headers, this.messages, this.code, this.description, this.trailers, this.seen, this.events,
				this.end);
	}

	Outcome withMessages(List<String> messages) {
		return new Outcome(this.headers, messages, this.code, this.description, this.trailers, this.seen, this.events,
				this.end);
	}

	Outcome withStatus(Status.Code code, @Nullable String description) {
		return new Outcome(this.headers, this.messages, code, description, this.trailers, this.seen, this.events,
				this.end);
	}

	Outcome withTrailers(Map<String, List<String>> trailers) {
		return new Outcome(this.headers, this.messages, this.code, this.description, trailers, this.seen, this.events,
				this.end);
	}

	Outcome withEvents(List<String> events) {
		return new Outcome(this.headers, this.messages, this.code, this.description, this.trailers, this.seen, events,
				this.end);
	}

	Outcome withEnd(String end) {
		return new Outcome(this.headers, this.messages, this.code, this.description, this.trailers, this.seen,
				this.events, end);
	}

	/**
	 * Says in what this outcome is not the other.
	 */
	String unlike(Outcome other) {
		StringBuilder result = new StringBuilder();
		String[] mine = lines();
		String[] others = other.lines();
		for (int i = 0; i < mine.length; i++) {
			if (!mine[i].equals(others[i])) {
				result.append("\n  ").append(mine[i]).append("\n    instead of ").append(others[i]);
			}
		}
		return result.toString();
	}

	private String[] lines() {
		return new String[] { "headers " + this.headers, "messages " + this.messages,
				"status " + this.code + " '" + this.description + "'", "trailers " + this.trailers,
				"seen by the service " + this.seen, "events " + this.events, "end " + this.end };
	}

}
