package dev.grpcloop.engine.message;

import java.io.InputStream;
import java.util.Objects;

import io.grpc.KnownLength;
import io.netty.buffer.ByteBuf;

/**
 * A request message for a marshaller that reads it to the end before it returns: it looks
 * into the read buffer itself, which is gone afterwards.
 */
public final class BufferMessageStream extends InputStream implements KnownLength {

	private final ByteBuf data;

	private int index;

	private final int end;

	/**
	 * Creates the stream.
	 * @param data the read buffer
	 * @param index where the message begins
	 * @param length its length
	 */
	public BufferMessageStream(ByteBuf data, int index, int length) {
		this.data = data;
		this.index = index;
		this.end = index + length;
	}

	@Override
	public int available() {
		return this.end - this.index;
	}

	@Override
	public int read() {
		return (this.index < this.end) ? this.data.getByte(this.index++) & 0xff : -1;
	}

	@Override
	public int read(byte[] target, int offset, int length) {
		Objects.checkFromIndexSize(offset, length, target.length);
		int count = Math.min(length, available());
		if (count == 0) {
			return (length == 0) ? 0 : -1;
		}
		this.data.getBytes(this.index, target, offset, count);
		this.index += count;
		return count;
	}

	@Override
	public long skip(long count) {
		int skipped = (int) Math.max(0, Math.min(count, available()));
		this.index += skipped;
		return skipped;
	}

}
