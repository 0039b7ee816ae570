package dev.grpcloop.browser;

import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntFunction;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

import com.microsoft.playwright.Page;
import com.microsoft.playwright.Route;

/**
 * Answers in the place of the endpoint, with numbers that a test knows: what they are at
 * the first question, at the second and so on.
 */
final class DoctoredReport {

	private DoctoredReport() {
	}

	/**
	 * Answers from now on.
	 * @param page the page that asks
	 * @param report the JSON for the number of a question, from 1
	 */
	static void answer(Page page, IntFunction<String> report) {
		AtomicInteger questions = new AtomicInteger();
		page.route("**/actuator/grpc",
				(route) -> route.fulfill(new Route.FulfillOptions().setContentType("application/json")
					.setBody(report.apply(questions.incrementAndGet()))));
	}

	/**
	 * A server with methods that each had 100 calls since the last question: 98 took 1
	 * ms, the others half a second, and 25 have failed.
	 */
	static String report(String state, int question, String... methods) {
		String all = IntStream.range(0, methods.length)
			.mapToObj((index) -> method(methods[index], question))
			.collect(Collectors.joining(","));
		int calls = 100 * question * methods.length;
		return """
				{ "server": { "state": "%1$s", "addresses": ["*:9090"], "port": 9090, "backend": "epoll",
				    "backendReason": "the fastest here", "workers": 2, "executor": "a pool",
				    "startedAt": "2026-01-01T00:00:00Z" },
				  "calls": { "started": %2$d, "closed": %2$d, "active": 0, "rate": 1.0 },
				  "services": [ { "name": "test.v1.Service", "methods": [ %3$s ] } ],
				  "connections": { "open": 7, "opened": 7, "closed": { "peer": 0 }, "handshakes": 7 },
				  "streams": { "open": 3, "opened": %2$d, "refused": { "not-grpc": %4$d }, "stalled": 0, "stallTime": 0.0 },
				  "bytes": { "received": %5$d, "sent": %5$d, "flushes": %4$d, "buffered": 0 },
				  "guards": { "rapid-reset": 0, "foreign-protocol": %4$d },
				  "loops": [ { "index": 0, "connections": 7, "busyTime": %6$s, "waitedTime": %7$s, "busyShare": 0.3 } ],
				  "limits": { "grpc.server.guard.resets": 200 } }
				"""
			.formatted(state, calls, all, question, 1000L * question, 0.3 * question, 0.7 * question);
	}

	private static String method(String name, int question) {
		return """
				{ "name": "%1$s", "type": "UNARY", "runsOn": "executor", "started": %2$d, "closed": %2$d, "active": 0,
				  "rate": 1.0, "statuses": { "OK": %3$d, "INTERNAL": %4$d }, "messagesReceived": %2$d,
				  "messagesSent": %2$d, "bytesReceived": %2$d, "bytesSent": %2$d,
				  "latency": { "total": 1.0, "p50": 0.001, "p90": 0.001, "p99": 0.5,
				    "buckets": [ [0.001, %5$d], [0.5, %6$d] ] } }
				""".formatted(name, 100 * question, 75 * question, 25 * question, 98 * question, 2 * question);
	}

}
