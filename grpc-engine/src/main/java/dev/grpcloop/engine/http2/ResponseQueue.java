package dev.grpcloop.engine.http2;

import java.util.ArrayDeque;

import io.grpc.Status;
import org.jspecify.annotations.Nullable;

/**
 * What a stream has to send and may not send yet: messages, and what comes after the last
 * of them. A stream that never waits has none.
 * <p>
 * Owned by the event loop.
 */
final class ResponseQueue {

	private final ArrayDeque<byte[]> messages = new ArrayDeque<>(4);

	/** The stream has messages here and no credit of its own. */
	private final Stall stall;

	/** How much of the first message is written. */
	private int written;

	private @Nullable Status status;

	private byte[][] trailers = {};

	/** What is queued is not of gRPC, and its last byte ends the stream. */
	private boolean endsStream;

	/**
	 * Creates an empty queue.
	 * @param stall tells of the times in which the stream has no credit
	 */
	ResponseQueue(Stall stall) {
		this.stall = stall;
	}

	Stall stall() {
		return this.stall;
	}

	/**
	 * Adds a message with its prefix.
	 */
	void add(byte[] framed) {
		this.messages.add(framed);
	}

	/**
	 * Adds the body of an answer in HTTP terms, which is the last thing on its stream.
	 */
	void addLast(byte[] body) {
		this.messages.add(body);
		this.endsStream = true;
	}

	boolean isEmpty() {
		return this.messages.isEmpty();
	}

	/**
	 * The message to write from; only if there is one.
	 */
	byte[] first() {
		return this.messages.element();
	}

	/**
	 * Where the part of the first message begins that is not written.
	 */
	int offset() {
		return this.written;
	}

	int remaining() {
		return first().length - this.written;
	}

	/**
	 * Whether these bytes of the first message are the last on the stream.
	 */
	boolean endsStreamAfter(int bytes) {
		return this.endsStream && bytes == remaining();
	}

	/**
	 * Bytes of the first message were written.
	 * @return the length of the message if that was all of it, else 0
	 */
	int wrote(int bytes) {
		this.written += bytes;
		int length = first().length;
		if (this.written < length) {
			return 0;
		}
		this.written = 0;
		this.messages.remove();
		return length;
	}

	boolean endsStream() {
		return this.endsStream;
	}

	/**
	 * Trailers follow the messages.
	 */
	void end(Status status, byte[][] trailers) {
		this.status = status;
		this.trailers = trailers;
	}

	/**
	 * The status that follows the messages, if the call has one already.
	 */
	@Nullable Status status() {
		return this.status;
	}

	byte[][] trailers() {
		return this.trailers;
	}

}
