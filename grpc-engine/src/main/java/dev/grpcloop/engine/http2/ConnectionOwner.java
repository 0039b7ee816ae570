package dev.grpcloop.engine.http2;

/**
 * Keeps the connections of a server. Called on the connections' event loops.
 */
public interface ConnectionOwner {

	/**
	 * A connection was accepted.
	 * @param connection the connection
	 */
	void opened(Http2Connection connection);

	/**
	 * A connection ended. Comes exactly once for each {@link #opened}.
	 * @param connection the connection
	 */
	void closed(Http2Connection connection);

}
