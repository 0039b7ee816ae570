package dev.grpcloop.engine.differential;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

import io.grpc.Status;
import org.jspecify.annotations.Nullable;

/**
 * What is known of a running call, from both sides. Any thread.
 */
final class CallProbe {

	private final CallScript script;

	private final List<String> events = new ArrayList<>();

	private final List<String> violations = new ArrayList<>();

	private final List<String> messages = new ArrayList<>();

	private @Nullable Map<String, List<String>> headers;

	private @Nullable Map<String, List<String>> seen;

	private boolean over;

	private boolean entered;

	private @Nullable String end;

	private boolean closed;

	private boolean halfClosed;

	private int delivered;

	private boolean ready;

	CallProbe(CallScript script) {
		this.script = script;
	}

	CallScript script() {
		return this.script;
	}

	// the server

	synchronized void entered(Map<String, List<String>> seen) {
		this.entered = true;
		this.seen = seen;
		seen.remove(ScriptedServices.ID.name());
		notifyAll();
	}

	/**
	 * There is no listener that could hear of the end.
	 */
	synchronized void notStarted(String how) {
		this.end = how;
		notifyAll();
	}

	/**
	 * A callback of the listener has begun.
	 */
	synchronized void callback(String callback) {
		boolean last = callback.equals("complete") || callback.equals("cancel");
		if (this.end != null) {
			this.violations.add(callback + " after " + this.end);
		}
		if (this.halfClosed && (callback.equals("halfClose") || callback.startsWith("message"))) {
			this.violations.add(callback + " after halfClose");
		}
		this.halfClosed |= callback.equals("halfClose");
		if (last) {
			this.end = callback;
		}
		else if (!this.over && !callback.equals("ready")) {
			// grpc-java tells a call that it is ready before or after its first message
			this.events.add(callback);
		}
		notifyAll();
	}

	/**
	 * A callback has returned.
	 */
	synchronized void returned(String callback) {
		if (callback.startsWith("message")) {
			this.delivered++;
		}
		this.ready |= callback.equals("ready");
		notifyAll();
	}

	/**
	 * The service has ended the call: of what the listener hears from now on only the end
	 * is certain.
	 */
	synchronized void over(String how) {
		if (!this.over && this.end == null) {
			this.over = true;
			this.events.add(how);
		}
	}

	synchronized boolean isOver() {
		return this.over;
	}

	// the client

	synchronized void headers(Map<String, List<String>> headers) {
		this.headers = headers;
		notifyAll();
	}

	synchronized void message(String message) {
		this.messages.add(message);
		notifyAll();
	}

	synchronized void closed() {
		this.closed = true;
		notifyAll();
	}

	void awaitMessages(int count) {
		await("messages", () -> this.closed || this.messages.size() >= count);
	}

	void awaitHeaders() {
		await("headers", () -> this.closed || this.headers != null);
	}

	void awaitStart() {
		await("start", () -> this.closed || this.entered);
	}

	void awaitDelivered(int count) {
		await("delivery", () -> this.closed || this.delivered >= count);
	}

	void awaitReady() {
		await("readiness", () -> this.closed || this.ready);
	}

	void awaitClosed() {
		await("close", () -> this.closed);
	}

	/**
	 * Waits for the end of both sides. How far a service gets before it hears of a
	 * cancellation is not certain.
	 */
	synchronized Outcome outcome(Status status, Map<String, List<String>> trailers) {
		if (this.entered) {
			await("the listener's end", () -> this.end != null);
		}
		if (!this.violations.isEmpty()) {
			throw new AssertionError("order of callbacks: " + this.violations + " in " + this.script);
		}
		// a response of one message is not flushed before its end
		boolean uncertain = this.script.cancels() && this.script.type().serverSendsOneMessage();
		return new Outcome(uncertain ? null : this.headers, List.copyOf(this.messages), status.getCode(),
				status.getDescription(), trailers, this.seen,
				this.script.cancels() ? List.of() : List.copyOf(this.events),
				(this.end != null) ? this.end : "not begun");
	}

	private synchronized void await(String what, BooleanSupplier condition) {
		long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(20);
		while (!condition.getAsBoolean()) {
			long left = TimeUnit.NANOSECONDS.toMillis(deadline - System.nanoTime());
			if (left <= 0) {
				throw new AssertionError("waited in vain for " + what + "; events " + this.events + ", messages "
						+ this.messages + ", end " + this.end + " of " + this.script);
			}
			try {
				wait(left);
			}
			catch (InterruptedException ex) {
				throw new AssertionError("interrupted", ex);
			}
		}
	}

}
