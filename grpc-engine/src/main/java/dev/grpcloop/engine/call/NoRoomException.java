package dev.grpcloop.engine.call;

/**
 * The server has no memory for a message that is being decompressed. The event loop,
 * which knows who has it, says so to the client.
 */
final class NoRoomException extends RuntimeException {

	private static final long serialVersionUID = 1L;

	NoRoomException() {
		super("The server has no memory for the decompressed message", null, false, false);
	}

}
