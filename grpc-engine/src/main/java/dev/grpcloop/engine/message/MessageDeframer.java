package dev.grpcloop.engine.message;

import java.util.Arrays;

import io.grpc.Status;
import io.netty.buffer.ByteBuf;
import org.jspecify.annotations.Nullable;

/**
 * Cuts the bytes of a stream into messages: one flag byte, four length bytes, the message
 * (gRPC over HTTP/2, "Length-Prefixed-Message"). Where frames begin and end means nothing
 * (case B01).
 * <p>
 * Owned by the event loop of its connection.
 */
public final class MessageDeframer {

	/** Length of the flag and the length field, in bytes. */
	public static final int PREFIX_LENGTH = 5;

	/**
	 * The memory for a message that comes in pieces begins with what has come, and grows
	 * with it, up to here in large steps: a peer that announces a large message and sends
	 * little of it ties up little.
	 */
	private static final int LARGE_STEPS = 256 * 1024;

	private final int maxMessageSize;

	private int prefixRead;

	private int flag;

	private int length;

	private byte @Nullable [] body;

	private int bodyRead;

	private boolean failed;

	/**
	 * Creates a deframer.
	 * @param maxMessageSize the largest message allowed, in bytes
	 */
	public MessageDeframer(int maxMessageSize) {
		this.maxMessageSize = maxMessageSize;
	}

	/**
	 * Takes the next bytes of the stream.
	 * @param data the bytes, all of which are consumed
	 * @param sink gets the messages
	 * @return {@code null}, or the status with which the call has to end because of these
	 * bytes; everything that follows is then dropped
	 */
	public @Nullable Status deframe(ByteBuf data, Sink sink) {
		while (data.isReadable() && !this.failed) {
			if (this.prefixRead < PREFIX_LENGTH) {
				Status failure = readPrefix(data);
				if (failure != null) {
					this.failed = true;
					data.skipBytes(data.readableBytes());
					return failure;
				}
				if (this.prefixRead < PREFIX_LENGTH || (this.length > 0 && !data.isReadable())) {
					return null;
				}
			}
			if (this.body == null && data.readableBytes() >= this.length) {
				int index = data.readerIndex();
				data.skipBytes(this.length);
				this.prefixRead = 0;
				sink.message(this.flag == 1, data, index, this.length);
			}
			else {
				assemble(data, sink);
			}
		}
		data.skipBytes(data.readableBytes());
		return null;
	}

	private @Nullable Status readPrefix(ByteBuf data) {
		if (this.prefixRead == 0 && data.readableBytes() >= PREFIX_LENGTH) {
			this.flag = data.readUnsignedByte();
			this.length = data.readInt();
			this.prefixRead = PREFIX_LENGTH;
		}
		else {
			while (this.prefixRead < PREFIX_LENGTH && data.isReadable()) {
				int next = data.readUnsignedByte();
				if (this.prefixRead == 0) {
					this.flag = next;
					this.length = 0;
				}
				else {
					this.length = (this.length << 8) | next;
				}
				this.prefixRead++;
			}
			if (this.prefixRead < PREFIX_LENGTH) {
				return null;
			}
		}
		return checkPrefix();
	}

	private @Nullable Status checkPrefix() {
		if ((this.flag & ~1) != 0) {
			return Status.INTERNAL
				.withDescription("gRPC message flag is " + this.flag + "; it must be 0 (plain) or 1 (compressed)");
		}
		if (this.length < 0 || this.length > this.maxMessageSize) {
			return Status.RESOURCE_EXHAUSTED.withDescription("gRPC message exceeds maximum size " + this.maxMessageSize
					+ ": " + Integer.toUnsignedString(this.length));
		}
		return null;
	}

	private void assemble(ByteBuf data, Sink sink) {
		byte[] array = this.body;
		int count = Math.min(data.readableBytes(), this.length - this.bodyRead);
		int needed = this.bodyRead + count;
		if (array == null) {
			array = new byte[needed];
		}
		else if (needed > array.length) {
			long more = (array.length < LARGE_STEPS) ? 4L * array.length : 2L * array.length;
			array = Arrays.copyOf(array, (int) Math.min(this.length, Math.max(needed, more)));
		}
		data.readBytes(array, this.bodyRead, count);
		this.body = array;
		this.bodyRead = needed;
		if (needed == this.length) {
			this.body = null;
			this.bodyRead = 0;
			this.prefixRead = 0;
			sink.message(this.flag == 1, array);
		}
	}

	/**
	 * Returns how many bytes of a message not yet complete are held.
	 * @return the number of bytes, prefix included; 0 between two messages
	 */
	public int partialBytes() {
		return this.prefixRead + this.bodyRead;
	}

	/**
	 * Returns how much memory a message not yet complete takes.
	 * @return the number of bytes
	 */
	public int heldBytes() {
		return (this.body != null) ? this.body.length : 0;
	}

	/**
	 * Drops what is held, and all that follows.
	 */
	public void close() {
		this.failed = true;
		this.body = null;
		this.bodyRead = 0;
	}

	/**
	 * Receives the messages.
	 */
	public interface Sink {

		/**
		 * A message that lies in one piece in the input.
		 * @param compressed whether its flag says so
		 * @param data holds it, valid only during this call; its reader index means
		 * nothing here
		 * @param index where it begins
		 * @param length its length
		 */
		void message(boolean compressed, ByteBuf data, int index, int length);

		/**
		 * A message that came in pieces.
		 * @param compressed whether its flag says so
		 * @param message the message; the array belongs to the sink
		 */
		void message(boolean compressed, byte[] message);

	}

}
