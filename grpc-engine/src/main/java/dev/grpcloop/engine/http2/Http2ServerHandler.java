package dev.grpcloop.engine.http2;

import java.io.IOException;
import java.util.List;

import dev.grpcloop.engine.call.CallEnvironment;
import dev.grpcloop.engine.call.CallLoop;
import dev.grpcloop.engine.telemetry.Guard;
import io.grpc.ServerTransportFilter;
import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.handler.codec.http2.DefaultHttp2FrameReader;
import io.netty.handler.codec.http2.Http2CodecUtil;
import io.netty.handler.codec.http2.Http2Error;
import io.netty.handler.codec.http2.Http2Exception;
import io.netty.handler.codec.http2.Http2FrameTypes;
import org.jspecify.annotations.Nullable;

/**
 * The channel's end of a connection: cuts the bytes that follow the client's preface into
 * whole frames, and gives these to the frame reader. One handler serves one channel.
 */
public final class Http2ServerHandler extends ChannelInboundHandlerAdapter {

	private static final int END_HEADERS = 0x4;

	private static final int MAX_FRAME_SIZE = Http2CodecUtil.DEFAULT_MAX_FRAME_SIZE;

	private final CallLoop callLoop;

	private final LoopMemory memory;

	private final CallEnvironment environment;

	private final ConnectionPolicy policy;

	private final byte[] acceptEncoding;

	private final List<ServerTransportFilter> filters;

	private final ConnectionOwner owner;

	private final DefaultHttp2FrameReader reader;

	private @Nullable Http2Connection connection;

	private @Nullable FrameHandler frames;

	private @Nullable ClientPreface preface;

	private boolean settingsRead;

	/** The beginning of a frame whose rest has not come. */
	private @Nullable ByteBuf partialFrame;

	/** What the memory was told of it. */
	private int partialFrameHeld;

	private int lastFrame;

	private boolean opened;

	/**
	 * Creates the handler of a channel.
	 * @param callLoop the state of the channel's event loop
	 * @param memory what the connections of that loop hold
	 * @param environment the state of the server
	 * @param policy what the server grants its peers
	 * @param acceptEncoding the message encodings the server understands, as
	 * grpc-accept-encoding lists them; empty for none
	 * @param filters hear of the connection once its preface has come, and of its end
	 * @param owner hears of the connection's beginning and end
	 */
	public Http2ServerHandler(CallLoop callLoop, LoopMemory memory, CallEnvironment environment,
			ConnectionPolicy policy, byte[] acceptEncoding, List<ServerTransportFilter> filters,
			ConnectionOwner owner) {
		this.callLoop = callLoop;
		this.memory = memory;
		this.environment = environment;
		this.policy = policy;
		this.acceptEncoding = acceptEncoding;
		this.filters = filters;
		this.owner = owner;
		// the reader counts the HEADERS frame too
		this.reader = new DefaultHttp2FrameReader(new RequestHeadersDecoder(policy.limits().maxHeaderListSize()),
				(int) Math.min(Integer.MAX_VALUE, 1L + policy.abuse().smallContinuations()));
	}

	@Override
	public void handlerAdded(ChannelHandlerContext ctx) {
		this.connection = new Http2Connection(ctx, this.callLoop, this.memory, this.environment, this.policy,
				this.acceptEncoding, new TransportFilters(this.filters));
		this.frames = new FrameHandler(this.connection);
		this.preface = new ClientPreface(this.connection);
		if (ctx.channel().isActive()) {
			open();
		}
	}

	@Override
	public void channelActive(ChannelHandlerContext ctx) {
		open();
	}

	private void open() {
		if (!this.opened) {
			this.opened = true;
			this.callLoop.telemetry().connectionOpened();
			this.connection.timers().accepted();
			this.owner.opened(this.connection);
			this.connection.opened();
		}
	}

	@Override
	public void channelRead(ChannelHandlerContext ctx, Object message) {
		ByteBuf in = (ByteBuf) message;
		int bytes = in.readableBytes();
		Http2Connection connection = this.connection;
		connection.batch().begin();
		connection.timers().keepAlive().heard(connection.batch().nanos());
		try {
			this.callLoop.telemetry().bytesReceived(bytes);
			if (!connection.closing().isClosing()) {
				read(ctx, in);
			}
			else {
				connection.closing().heard(bytes);
			}
		}
		catch (AbuseException ex) {
			connection.abused(ex.guard(), String.valueOf(ex.getMessage()));
		}
		catch (Http2Exception ex) {
			if (ex.error() == Http2Error.ENHANCE_YOUR_CALM) {
				// the only abuse that the reader counts itself
				connection.abused(Guard.CONTINUATION_FLOOD,
						AbuseException.debugData(Guard.CONTINUATION_FLOOD, String.valueOf(ex.getMessage())));
			}
			else {
				connection.connectionError(ex.error(), String.valueOf(ex.getMessage()));
			}
		}
		catch (RuntimeException ex) {
			Http2Connection.LOGGER.log(System.Logger.Level.ERROR,
					"A fault of the server; " + ctx.channel() + " is closed", ex);
			connection.connectionError(Http2Error.INTERNAL_ERROR, "a fault of the server");
		}
		finally {
			in.release();
		}
		connection.batch().read(bytes);
	}

	private void read(ChannelHandlerContext ctx, ByteBuf in) throws Http2Exception {
		if (!this.preface.isComplete() && !readPreface(ctx, in)) {
			return;
		}
		if (this.partialFrame != null && !completeFrame(ctx, in)) {
			return;
		}
		int whole;
		while ((whole = wholeFrames(in)) > 0 && !this.connection.closing().isClosing()) {
			readFrames(ctx, in.readSlice(whole), this.lastFrame);
		}
		if (in.isReadable() && !this.connection.closing().isClosing()) {
			this.partialFrame = ctx.alloc().buffer(Http2CodecUtil.FRAME_HEADER_LENGTH + payloadLength(in));
			this.partialFrame.writeBytes(in);
			holdPartialFrame();
			this.connection.timers().headers().frameBegun(this.connection.batch().nanos());
		}
	}

	private boolean readPreface(ChannelHandlerContext ctx, ByteBuf in) {
		if (!this.preface.read(ctx, in)) {
			return false;
		}
		this.connection.frames().settings(this.policy.limits());
		this.connection.inboundFlow().open();
		return this.connection.handshakeDone();
	}

	/**
	 * Copies no more than the rest of the frame that was begun: a large upload is not
	 * copied twice.
	 */
	private boolean completeFrame(ChannelHandlerContext ctx, ByteBuf in) throws Http2Exception {
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
			readFrames(ctx, frame, frame.readerIndex());
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
	 * Reads whole frames.
	 * @param last where the last of them begins
	 */
	private void readFrames(ChannelHandlerContext ctx, ByteBuf in, int last) throws Http2Exception {
		if (!this.settingsRead) {
			this.settingsRead = true;
			if (in.getByte(in.readerIndex() + 3) != Http2FrameTypes.SETTINGS
					|| (in.getByte(in.readerIndex() + 4) & 0x1) != 0) {
				throw Http2Exception.connectionError(Http2Error.PROTOCOL_ERROR,
						"the first frame of a connection must be SETTINGS");
			}
		}
		noteTableSizes(in);
		while (in.isReadable() && !this.connection.closing().isClosing()) {
			try {
				this.reader.readFrame(ctx, in, this.frames);
			}
			catch (Http2Exception.StreamException ex) {
				this.connection.streamError(ex.streamId(), ex.error(), String.valueOf(ex.getMessage()));
			}
		}
		noteOpenBlock(in.getByte(last + 3), in.getByte(last + 4));
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

	@Override
	public void channelReadComplete(ChannelHandlerContext ctx) {
		this.connection.batch().end();
	}

	@Override
	public void channelWritabilityChanged(ChannelHandlerContext ctx) {
		this.connection.writabilityChanged(ctx.channel().isWritable());
	}

	@Override
	public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
		if (this.connection.closing().isClosing()) {
			// what there was to say of its end is said
			ctx.close();
			return;
		}
		if (cause instanceof IOException) {
			// the peer's doing, and nothing that a stack trace would explain
			Http2Connection.LOGGER.log(System.Logger.Level.DEBUG, () -> ctx.channel() + " is closed: " + cause);
		}
		else {
			Http2Connection.LOGGER.log(System.Logger.Level.WARNING, () -> ctx.channel() + " is closed", cause);
		}
		ctx.close();
	}

	@Override
	public void channelInactive(ChannelHandlerContext ctx) {
		if (this.partialFrame != null) {
			this.partialFrame.release();
			this.partialFrame = null;
			holdPartialFrame();
		}
		this.reader.close();
		this.connection.channelClosed();
		if (this.opened) {
			this.connection.memory().close();
			this.callLoop.telemetry().connectionClosed();
			this.owner.closed(this.connection);
		}
	}

}
