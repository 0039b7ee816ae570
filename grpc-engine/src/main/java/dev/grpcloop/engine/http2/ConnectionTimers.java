package dev.grpcloop.engine.http2;

import io.netty.channel.EventLoop;

/**
 * All that happens to a connection because time passes.
 * <p>
 * Owned by the event loop.
 */
final class ConnectionTimers {

	private final HandshakeTimeout handshake;

	private final HeadersTimeout headers;

	private final KeepAlive keepAlive;

	private final IdleTimeout idle;

	private final AgeLimit age;

	ConnectionTimers(EventLoop eventLoop, Http2Connection connection) {
		this.handshake = new HandshakeTimeout(eventLoop, connection);
		this.headers = new HeadersTimeout(eventLoop, connection);
		this.keepAlive = new KeepAlive(eventLoop, connection);
		this.idle = new IdleTimeout(eventLoop, connection);
		this.age = new AgeLimit(eventLoop, connection);
	}

	HandshakeTimeout handshake() {
		return this.handshake;
	}

	HeadersTimeout headers() {
		return this.headers;
	}

	KeepAlive keepAlive() {
		return this.keepAlive;
	}

	IdleTimeout idle() {
		return this.idle;
	}

	void accepted() {
		this.keepAlive.accepted();
		this.handshake.accepted();
	}

	/**
	 * The peer's preface has come.
	 */
	void handshakeDone() {
		this.keepAlive.handshakeDone();
		this.idle.handshakeDone();
		this.age.handshakeDone();
	}

	void stop() {
		this.handshake.stop();
		this.headers.stop();
		this.keepAlive.stop();
		this.idle.stop();
		this.age.stop();
	}

}
