package dev.grpcloop.engine.message;

import java.io.ByteArrayInputStream;

import io.grpc.KnownLength;

/**
 * A request message for its marshaller, over an array that nothing else uses: a
 * marshaller may keep it.
 */
public final class ArrayMessageStream extends ByteArrayInputStream implements KnownLength {

	/**
	 * Creates the stream.
	 * @param message the whole message
	 */
	public ArrayMessageStream(byte[] message) {
		super(message);
	}

}
