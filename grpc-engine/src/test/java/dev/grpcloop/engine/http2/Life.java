package dev.grpcloop.engine.http2;

import java.util.concurrent.TimeUnit;

/**
 * The life that a test grants a connection: without any limit but those it names, in
 * seconds.
 */
final class Life {

	private long handshake = ConnectionLife.NEVER;

	private long headers = ConnectionLife.NEVER;

	private long keepAlive = ConnectionLife.NEVER;

	private long keepAliveTimeout = ConnectionLife.NEVER;

	private long permit = ConnectionLife.DEFAULT.permitNanos();

	private boolean permitWithoutCalls;

	private long idle = ConnectionLife.NEVER;

	private long age = ConnectionLife.NEVER;

	private long grace = ConnectionLife.NEVER;

	private Life() {
	}

	static Life that() {
		return new Life();
	}

	Life shakesHandsWithin(long seconds) {
		this.handshake = TimeUnit.SECONDS.toNanos(seconds);
		return this;
	}

	Life completesWithin(long seconds) {
		this.headers = TimeUnit.SECONDS.toNanos(seconds);
		return this;
	}

	Life isPinged(long seconds, long timeoutSeconds) {
		this.keepAlive = TimeUnit.SECONDS.toNanos(seconds);
		this.keepAliveTimeout = TimeUnit.SECONDS.toNanos(timeoutSeconds);
		return this;
	}

	Life permits(long seconds, boolean withoutCalls) {
		this.permit = TimeUnit.SECONDS.toNanos(seconds);
		this.permitWithoutCalls = withoutCalls;
		return this;
	}

	Life idles(long seconds) {
		this.idle = TimeUnit.SECONDS.toNanos(seconds);
		return this;
	}

	Life ages(long seconds) {
		this.age = TimeUnit.SECONDS.toNanos(seconds);
		return this;
	}

	Life ages(long seconds, long graceSeconds) {
		this.grace = TimeUnit.SECONDS.toNanos(graceSeconds);
		return ages(seconds);
	}

	ConnectionLife build() {
		return new ConnectionLife(this.handshake, this.headers, ConnectionLife.NEVER, this.keepAlive,
				this.keepAliveTimeout, this.permit, this.permitWithoutCalls, this.idle, this.age, this.grace);
	}

}
