package dev.grpcloop.engine.http2;

import java.util.Arrays;
import java.util.function.Consumer;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;

/**
 * Cuts bytes that come in any pieces into whole frames.
 */
final class FrameCutter {

	private static final int HEADER_LENGTH = 9;

	/** The beginning of a frame. */
	private byte[] unread = {};

	void read(byte[] bytes, Consumer<ByteBuf> frames) {
		byte[] all = Arrays.copyOf(this.unread, this.unread.length + bytes.length);
		System.arraycopy(bytes, 0, all, this.unread.length, bytes.length);
		ByteBuf in = Unpooled.wrappedBuffer(all);
		while (in.readableBytes() >= HEADER_LENGTH) {
			int length = HEADER_LENGTH + in.getUnsignedMedium(in.readerIndex());
			if (in.readableBytes() < length) {
				break;
			}
			frames.accept(in.readSlice(length));
		}
		this.unread = ByteBufUtil.getBytes(in);
	}

	boolean isBetweenFrames() {
		return this.unread.length == 0;
	}

}
