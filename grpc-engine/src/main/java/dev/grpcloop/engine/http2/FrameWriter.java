package dev.grpcloop.engine.http2;

import dev.grpcloop.engine.telemetry.LoopTelemetry;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelOutboundBuffer;
import io.netty.handler.codec.http2.Http2FrameTypes;
import org.jspecify.annotations.Nullable;

/**
 * Writes frames one after the other into the connection's outbound buffer. All bytes of a
 * connection pass here, in the order in which they stand on the wire; nothing but whole
 * frames leaves.
 * <p>
 * Frames wait for {@link #flush()}, which comes once a read batch, unless 64 KiB have
 * gathered before. Owned by the event loop.
 */
final class FrameWriter {

	static final int FRAME_HEADER_LENGTH = 9;

	private static final int FIRST_CHUNK = 4 * 1024;

	/** Two frames of the size that most peers take, or one of the largest. */
	private static final int NEXT_CHUNK = OutboundFlow.MAX_FRAME + 2 * FRAME_HEADER_LENGTH;

	private static final int FLUSH_THRESHOLD = 64 * 1024;

	private static final int END_STREAM = 0x1;

	private static final int ACK = 0x1;

	private static final int END_HEADERS = 0x4;

	private final ChannelHandlerContext ctx;

	private final LoopTelemetry telemetry;

	private @Nullable ByteBuf chunk;

	/** Bytes of whole chunks that were written and not flushed. */
	private int unflushed;

	/** Frames that were written and not flushed. */
	private int unflushedFrames;

	/** The socket had not taken all before, when the first chunk was begun. */
	private boolean backlogged;

	private long buffersWritten;

	private int dataFrames;

	private int pings;

	/** HEADERS or DATA were written. */
	private boolean answered;

	private boolean closed;

	FrameWriter(ChannelHandlerContext ctx, LoopTelemetry telemetry) {
		this.ctx = ctx;
		this.telemetry = telemetry;
	}

	/**
	 * Returns the buffer to write to, with room for a number of bytes in one piece. To
	 * take back what was written to it, set its writer index back.
	 */
	ByteBuf reserve(int bytes) {
		ByteBuf current = this.chunk;
		if (current != null) {
			if (current.writableBytes() >= bytes) {
				return current;
			}
			writeChunk();
		}
		if (this.unflushed == 0) {
			this.backlogged = isBacklogged();
		}
		int size = (this.unflushed == 0) ? FIRST_CHUNK : NEXT_CHUNK;
		current = this.ctx.alloc().ioBuffer(Math.max(size, bytes));
		this.chunk = current;
		return current;
	}

	/**
	 * Whether the socket has yet to take what was flushed before.
	 */
	private boolean isBacklogged() {
		ChannelOutboundBuffer buffer = this.ctx.channel().unsafe().outboundBuffer();
		return buffer != null && !buffer.isEmpty();
	}

	void data(int streamId, byte[] source, int offset, int length, boolean endStream) {
		ByteBuf out = frame(length, Http2FrameTypes.DATA, endStream ? END_STREAM : 0, streamId);
		out.writeBytes(source, offset, length);
		this.dataFrames++;
		this.answered = true;
		flushIfLarge();
	}

	/**
	 * Leaves room for the header of a HEADERS frame.
	 * @return the buffer to write the header block to
	 */
	ByteBuf beginHeaders(int bound) {
		ByteBuf out = reserve(FRAME_HEADER_LENGTH + bound);
		out.writeZero(FRAME_HEADER_LENGTH);
		return out;
	}

	/**
	 * Ends what {@link #beginHeaders} began: the block becomes a HEADERS frame and as
	 * many CONTINUATION frames as it needs.
	 * @param start the writer index before {@link #beginHeaders}
	 */
	void endHeaders(ByteBuf out, int start, int streamId, boolean endStream, int maxFrameSize) {
		int length = out.writerIndex() - start - FRAME_HEADER_LENGTH;
		int flags = endStream ? END_STREAM : 0;
		if (length <= maxFrameSize) {
			out.setMedium(start, length);
			out.setByte(start + 3, Http2FrameTypes.HEADERS);
			out.setByte(start + 4, flags | END_HEADERS);
			out.setInt(start + 5, streamId);
			this.unflushedFrames++;
		}
		else {
			byte[] block = new byte[length];
			out.getBytes(start + FRAME_HEADER_LENGTH, block);
			out.writerIndex(start);
			fragments(block, streamId, flags, maxFrameSize);
		}
		this.answered = true;
		flushIfLarge();
	}

	private void fragments(byte[] block, int streamId, int flags, int maxFrameSize) {
		byte type = Http2FrameTypes.HEADERS;
		int frameFlags = flags;
		for (int offset = 0; offset < block.length; offset += maxFrameSize) {
			int count = Math.min(maxFrameSize, block.length - offset);
			boolean last = offset + count == block.length;
			ByteBuf out = frame(count, type, last ? frameFlags | END_HEADERS : frameFlags, streamId);
			out.writeBytes(block, offset, count);
			type = Http2FrameTypes.CONTINUATION;
			frameFlags = 0;
		}
	}

	void settings(ConnectionLimits limits) {
		ByteBuf out = frame(18, Http2FrameTypes.SETTINGS, 0, 0);
		out.writeShort(0x3).writeInt(limits.maxConcurrentStreams());
		out.writeShort(0x4).writeInt(limits.flowControlWindow());
		out.writeShort(0x6).writeInt(limits.maxHeaderListSize());
	}

	void settingsAck() {
		frame(0, Http2FrameTypes.SETTINGS, ACK, 0);
	}

	/**
	 * How many DATA frames were written. May overflow.
	 */
	int dataFrames() {
		return this.dataFrames;
	}

	/**
	 * How many PING frames were written that ask for an answer. May overflow.
	 */
	int pings() {
		return this.pings;
	}

	void ping(boolean ack, long content) {
		if (!ack) {
			this.pings++;
		}
		frame(8, Http2FrameTypes.PING, ack ? ACK : 0, 0).writeLong(content);
	}

	void windowUpdate(int streamId, int increment) {
		frame(4, Http2FrameTypes.WINDOW_UPDATE, 0, streamId).writeInt(increment);
	}

	void resetStream(int streamId, long errorCode) {
		frame(4, Http2FrameTypes.RST_STREAM, 0, streamId).writeInt((int) errorCode);
		this.telemetry.resetSent(errorCode);
	}

	void goAway(int lastStreamId, long errorCode, byte[] debugData) {
		ByteBuf out = frame(8 + debugData.length, Http2FrameTypes.GO_AWAY, 0, 0);
		out.writeInt(lastStreamId).writeInt((int) errorCode).writeBytes(debugData);
	}

	/**
	 * Whether HEADERS or DATA were written since this was asked last.
	 */
	boolean takeAnswered() {
		boolean now = this.answered;
		this.answered = false;
		return now;
	}

	private ByteBuf frame(int length, byte type, int flags, int streamId) {
		ByteBuf out = reserve(FRAME_HEADER_LENGTH + length);
		this.unflushedFrames++;
		out.writeMedium(length).writeByte(type).writeByte(flags).writeInt(streamId);
		return out;
	}

	private void flushIfLarge() {
		ByteBuf current = this.chunk;
		if (this.unflushed + ((current != null) ? current.readableBytes() : 0) >= FLUSH_THRESHOLD) {
			flush();
		}
	}

	/**
	 * Whether bytes wait for a flush.
	 */
	boolean hasUnflushed() {
		return this.unflushed > 0 || (this.chunk != null && this.chunk.isReadable());
	}

	void flush() {
		writeChunk();
		if (this.unflushed > 0) {
			this.telemetry.bytesSent(this.unflushed);
			this.telemetry.flushed(this.unflushedFrames, this.unflushed);
			this.unflushed = 0;
			this.unflushedFrames = 0;
			this.ctx.flush();
		}
	}

	private void writeChunk() {
		ByteBuf full = this.chunk;
		this.chunk = null;
		if (full == null) {
			return;
		}
		if (this.closed || !full.isReadable()) {
			full.release();
			return;
		}
		this.unflushed += full.readableBytes();
		this.buffersWritten++;
		this.ctx.write(this.backlogged ? trimmed(full) : full, this.ctx.voidPromise());
	}

	/**
	 * A peer that asks for little at a time and does not read must not make each answer
	 * of some bytes hold a whole chunk: what waits is counted by its length.
	 */
	private ByteBuf trimmed(ByteBuf full) {
		int length = full.readableBytes();
		if (length > full.capacity() / 2) {
			return full;
		}
		ByteBuf trimmed = this.ctx.alloc().ioBuffer(length).writeBytes(full);
		full.release();
		return trimmed;
	}

	/**
	 * How many buffers the channel was given.
	 */
	long buffersWritten() {
		return this.buffersWritten;
	}

	/**
	 * Runs a task when the socket has taken all that was flushed.
	 */
	void whenTaken(Runnable task) {
		this.buffersWritten++;
		this.ctx.writeAndFlush(Unpooled.EMPTY_BUFFER).addListener((written) -> task.run());
	}

	/**
	 * Drops what was not flushed: the channel is closed.
	 */
	void close() {
		this.closed = true;
		this.unflushed = 0;
		writeChunk();
	}

}
