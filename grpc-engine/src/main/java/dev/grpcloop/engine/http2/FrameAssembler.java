package dev.grpcloop.engine.http2;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.codec.http2.Http2CodecUtil;
import io.netty.handler.codec.http2.Http2Exception;
import io.netty.handler.codec.http2.Http2FrameTypes;
import org.jspecify.annotations.Nullable;

/**
 * Makes whole frames of the bytes that follow the client's preface, however the transport
 * has cut them. What is whole in one read is not copied; of the frame that is not, what
 * has come waits here for its rest, is counted as the connection's memory, and is timed.
 * <p>
 * Owned by the event loop.
 */
final class FrameAssembler {

	private static final int MAX_FRAME_SIZE = Http2CodecUtil.DEFAULT_MAX_FRAME_SIZE;

	private final ChannelHandlerContext ctx;

	private final Http2Connection connection;

	private final FrameIntake intake;

	/** The beginning of a frame whose rest has not come. */
	private @Nullable ByteBuf partialFrame;

	/** What the memory was told of it. */
	private int partialFrameHeld;

	private int lastFrame;

	FrameAssembler(ChannelHandlerContext ctx, Http2Connection connection) {
		this.ctx = ctx;
		this.connection = connection;
		this.intake = new FrameIntake(ctx, connection);
	}

	/**
	 * Takes what the channel has read. Nothing is kept of it but a copy of what is not
	 * whole.
	 */
	void read(ByteBuf in) throws Http2Exception {
		if (this.partialFrame != null && !completeFrame(in)) {
			return;
		}
		int whole;
		while ((whole = wholeFrames(in)) > 0 && !this.connection.closing().isClosing()) {
			this.intake.read(in.readSlice(whole), this.lastFrame);
		}
		if (in.isReadable() && !this.connection.closing().isClosing()) {
			this.partialFrame = this.ctx.alloc().buffer(Http2CodecUtil.FRAME_HEADER_LENGTH + payloadLength(in));
			this.partialFrame.writeBytes(in);
			holdPartialFrame();
			this.connection.timers().headers().frameBegun(this.connection.batch().nanos());
		}
	}

	/**
	 * Copies no more than the rest of the frame that was begun: a large upload is not
	 * copied twice.
	 */
	private boolean completeFrame(ByteBuf in) throws Http2Exception {
		ByteBuf frame = this.partialFrame;
		int missing;
		while ((missing = missing(frame)) > 0) {
			if (!in.isReadable()) {
				holdPartialFrame();
				return false;
			}
			frame.writeBytes(in, Math.min(missing, in.readableBytes()));
		}
		this.partialFrame = null;
		holdPartialFrame();
		this.connection.timers().headers().frameEnded();
		try {
			this.intake.read(frame, frame.readerIndex());
		}
		finally {
			frame.release();
		}
		return true;
	}

	private void holdPartialFrame() {
		int held = (this.partialFrame != null) ? this.partialFrame.capacity() : 0;
		this.connection.memory().add(held - this.partialFrameHeld);
		this.partialFrameHeld = held;
	}

	private static int missing(ByteBuf frame) {
		int readable = frame.readableBytes();
		if (readable < Http2CodecUtil.FRAME_HEADER_LENGTH) {
			return Http2CodecUtil.FRAME_HEADER_LENGTH - readable;
		}
		int payload = frame.getUnsignedMedium(frame.readerIndex());
		return (payload > MAX_FRAME_SIZE) ? 0 : Http2CodecUtil.FRAME_HEADER_LENGTH + payload - readable;
	}

	private static int payloadLength(ByteBuf in) {
		return (in.readableBytes() >= 3) ? Math.min(in.getUnsignedMedium(in.readerIndex()), MAX_FRAME_SIZE) : 0;
	}

	/**
	 * Returns how many bytes of the input are whole frames. A frame that is too large
	 * counts with its header alone, which the reader will refuse; what comes before a
	 * frame of settings is read first. Where the last of them begins is noted.
	 */
	private int wholeFrames(ByteBuf in) {
		int start = in.readerIndex();
		int end = in.writerIndex();
		int index = start;
		while (end - index >= Http2CodecUtil.FRAME_HEADER_LENGTH) {
			int payload = in.getUnsignedMedium(index);
			if (payload > MAX_FRAME_SIZE) {
				this.lastFrame = index - start;
				return index + Http2CodecUtil.FRAME_HEADER_LENGTH - start;
			}
			int next = index + Http2CodecUtil.FRAME_HEADER_LENGTH + payload;
			if (next > end || (index > start && in.getByte(index + 3) == Http2FrameTypes.SETTINGS)) {
				break;
			}
			this.lastFrame = index - start;
			index = next;
		}
		return index - start;
	}

	/**
	 * The channel is closed.
	 */
	void close() {
		if (this.partialFrame != null) {
			this.partialFrame.release();
			this.partialFrame = null;
			holdPartialFrame();
		}
		this.intake.close();
	}

}
