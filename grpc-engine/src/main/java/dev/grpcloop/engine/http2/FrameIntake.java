package dev.grpcloop.engine.http2;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.codec.http2.DefaultHttp2FrameReader;
import io.netty.handler.codec.http2.Http2CodecUtil;
import io.netty.handler.codec.http2.Http2Error;
import io.netty.handler.codec.http2.Http2Exception;
import io.netty.handler.codec.http2.Http2FrameTypes;

/**
 * Gives whole frames to Netty's frame reader, and notes on their bytes what the reader
 * does not tell: whether the first frame of the connection is SETTINGS (RFC 9113 section
 * 3.4), every value of a setting that is named twice, and whether a header block goes on.
 * <p>
 * Owned by the event loop.
 */
final class FrameIntake {

	private static final int END_HEADERS = 0x4;

	private final ChannelHandlerContext ctx;

	private final Http2Connection connection;

	private final FrameHandler handler;

	private final DefaultHttp2FrameReader reader;

	private boolean settingsRead;

	FrameIntake(ChannelHandlerContext ctx, Http2Connection connection) {
		this.ctx = ctx;
		this.connection = connection;
		this.handler = new FrameHandler(connection);
		ConnectionPolicy policy = connection.policy();
		// the reader counts the HEADERS frame too
		this.reader = new DefaultHttp2FrameReader(new RequestHeadersDecoder(policy.limits().maxHeaderListSize()),
				(int) Math.min(Integer.MAX_VALUE, 1L + policy.abuse().smallContinuations()));
	}

	/**
	 * Reads whole frames.
	 * @param last where the last of them begins
	 */
	void read(ByteBuf in, int last) throws Http2Exception {
		checkFirst(in);
		noteTableSizes(in);
		while (in.isReadable() && !this.connection.closing().isClosing()) {
			try {
				this.reader.readFrame(this.ctx, in, this.handler);
			}
			catch (Http2Exception.StreamException ex) {
				this.connection.errors().streamError(ex.streamId(), ex.error(), String.valueOf(ex.getMessage()));
			}
		}
		noteOpenBlock(in.getByte(last + 3), in.getByte(last + 4));
	}

	private void checkFirst(ByteBuf in) throws Http2Exception {
		if (!this.settingsRead) {
			this.settingsRead = true;
			if (in.getByte(in.readerIndex() + 3) != Http2FrameTypes.SETTINGS
					|| (in.getByte(in.readerIndex() + 4) & 0x1) != 0) {
				throw Http2Exception.connectionError(Http2Error.PROTOCOL_ERROR,
						"the first frame of a connection must be SETTINGS");
			}
		}
	}

	/**
	 * Settings may name the header table size twice: the reader tells only the last
	 * value, and the encoder has to honour the smallest (RFC 7541 section 4.2).
	 */
	private void noteTableSizes(ByteBuf in) {
		int start = in.readerIndex();
		if (in.getByte(start + 3) != Http2FrameTypes.SETTINGS) {
			return;
		}
		int end = start
				+ Math.min(Http2CodecUtil.FRAME_HEADER_LENGTH + in.getUnsignedMedium(start), in.readableBytes());
		for (int i = start + Http2CodecUtil.FRAME_HEADER_LENGTH; i + 6 <= end; i += 6) {
			if (in.getUnsignedShort(i) == Http2CodecUtil.SETTINGS_HEADER_TABLE_SIZE) {
				this.connection.responses().peerTableSizeAtMost(in.getUnsignedInt(i + 2));
			}
		}
	}

	/**
	 * A header block that is not at its end must be followed by the rest of it, so the
	 * last frame tells whether there is one.
	 */
	private void noteOpenBlock(byte type, int flags) {
		if ((type == Http2FrameTypes.HEADERS || type == Http2FrameTypes.CONTINUATION) && (flags & END_HEADERS) == 0) {
			this.connection.timers().headers().blockIsOpen(this.connection.batch().nanos());
		}
		else {
			this.connection.timers().headers().blockEnded();
		}
	}

	/**
	 * The channel is closed.
	 */
	void close() {
		this.reader.close();
	}

}
