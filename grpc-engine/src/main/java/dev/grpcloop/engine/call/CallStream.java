package dev.grpcloop.engine.call;

import io.grpc.Attributes;
import io.grpc.Status;
import org.jspecify.annotations.Nullable;

/**
 * The HTTP/2 stream of a call, as the call sees it. Unless a method says otherwise it may
 * be called only on the event loop of the stream's connection.
 */
public interface CallStream {

	/**
	 * Whether the calling thread is the stream's event loop. Any thread.
	 * @return whether it is
	 */
	boolean inEventLoop();

	/**
	 * Runs a node on the event loop, and flushes what it wrote. Any thread.
	 * @param node what to run
	 */
	void post(PostQueue.Node node);

	/**
	 * Tells the stream who gets what it receives.
	 * @param call the call
	 */
	void connect(InboundCall call);

	/**
	 * Runs a task when the connection has processed all that it has read so far.
	 * @param task what to run
	 */
	void atEndOfBatch(BatchTask task);

	/**
	 * Whether the connection takes more bytes without holding them. Any thread.
	 * @return whether it does
	 */
	boolean isWritable();

	/**
	 * Writes the response headers.
	 * @param encoding the message encoding, or {@code null} if messages are plain
	 * @param metadata alternating names and values as they stand on the wire
	 */
	void writeHeaders(byte @Nullable [] encoding, byte[][] metadata);

	/**
	 * Writes a message now if all of it can be written now.
	 * @param framed holds the message with its prefix
	 * @param length the length of the framed message, from index 0
	 * @return {@code false} if nothing was written
	 */
	boolean tryWriteMessage(byte[] framed, int length);

	/**
	 * Writes a message as flow control allows.
	 * @param framed the message with its prefix; the array is given away.
	 * {@link InboundCall#bytesWritten} hears of its bytes as they are written
	 */
	void writeMessage(byte[] framed);

	/**
	 * Ends the response after all messages written before.
	 * @param status the status
	 * @param metadata alternating names and values as they stand on the wire
	 */
	void writeTrailers(Status status, byte[][] metadata);

	/**
	 * Ends the stream with RST_STREAM(CANCEL), dropping what is not yet written.
	 * @param status what {@link InboundCall#streamEnded} is told
	 */
	void cancel(Status status);

	/**
	 * Whether the connection holds so much that what a service takes has to be said at
	 * once, and not when it is worth a word. Any thread.
	 * @return whether it does
	 */
	boolean wantsCreditAtOnce();

	/**
	 * Gives the peer credit for bytes that the service has taken.
	 * @param bytes how many
	 */
	void returnCredit(int bytes);

	/**
	 * The call holds bytes of requests that the service has not taken, or gives them
	 * back. What it holds when the stream ends is given back with the stream.
	 * @param bytes how many, negative if they are given back
	 */
	void hold(long bytes);

	/**
	 * Asks for memory that the call takes off the event loop. It is not given back with
	 * the stream, as service code may outlive it, but by {@link #giveBackOffLoop}. Any
	 * thread.
	 * @param bytes how many
	 * @return {@code false} if they are not to be had, and are not held
	 */
	boolean tryHoldOffLoop(long bytes);

	/**
	 * Gives back what {@link #tryHoldOffLoop} has got. Any thread.
	 * @param bytes how many
	 */
	void giveBackOffLoop(long bytes);

	/**
	 * Ends the call, as the memory that it needs is not to be had.
	 */
	void exhausted();

	/**
	 * Ends the call with a status of the server's own: what waits to be written is
	 * dropped, the rest of a message too. If a status is among it the stream is reset.
	 * @param status the status, not OK
	 */
	void terminate(Status status);

	/**
	 * The stream has ended, and service code still runs on behalf of its call, or waits
	 * for a thread. It counts as an open call until {@link #serviceEnded}.
	 */
	void outlivedByService();

	/**
	 * The service code of which {@link #outlivedByService} told is done.
	 */
	void serviceEnded();

	/**
	 * Returns the attributes of the connection. Any thread.
	 * @return the attributes
	 */
	Attributes attributes();

	/**
	 * Returns the authority the client named. Any thread.
	 * @return the authority, or {@code null}
	 */
	@Nullable String authority();

	/**
	 * Something to do at the end of a batch.
	 */
	interface BatchTask {

		/**
		 * The batch has ended. Called on the event loop.
		 */
		void batchEnded();

	}

}
