package dev.grpcloop.engine.telemetry;

/**
 * Why a stream that a client opened did not become a call. Such a request is in no meter
 * of calls.
 */
public enum Refusal {

	/**
	 * Its header fields break the rules of HTTP/2 (RFC 9113 section 8.1.1), or its
	 * metadata those of gRPC.
	 */
	MALFORMED,

	/** It is not a gRPC request: its method is not POST, or its type or path another. */
	NOT_GRPC,

	/** Its header list is larger than the limit. */
	METADATA_TOO_LARGE,

	/** The client has as many open streams as it may have (RFC 9113 section 5.1.2). */
	TOO_MANY_STREAMS,

	/** The server holds as many bytes for its clients as it may. */
	MEMORY,

	/** The connection is closing, and its client was told so or is about to be. */
	CLOSING

}
