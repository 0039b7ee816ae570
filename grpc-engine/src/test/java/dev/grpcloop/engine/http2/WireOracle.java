package dev.grpcloop.engine.http2;

import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.embedded.EmbeddedChannel;
import io.netty.handler.codec.http2.DefaultHttp2FrameReader;
import io.netty.handler.codec.http2.DefaultHttp2HeadersDecoder;
import io.netty.handler.codec.http2.Http2Error;
import io.netty.handler.codec.http2.Http2Exception;
import io.netty.handler.codec.http2.Http2FrameAdapter;
import io.netty.handler.codec.http2.Http2FrameTypes;
import io.netty.handler.codec.http2.Http2Headers;
import io.netty.handler.codec.http2.Http2Settings;
import org.jspecify.annotations.Nullable;

import dev.grpcloop.engine.http2.WireStream.Phase;

/**
 * Reads all that a server sends, as a client that forgives nothing: Netty's frame reader
 * and header decoder, and on top of them the rules of RFC 9113 on the order of frames, on
 * flow control and on settings. Whatever breaks a rule is an {@link AssertionError} at
 * the frame that breaks it.
 * <p>
 * It keeps the client's half of the state: what the client sends has to be told to it
 * before it is sent.
 */
final class WireOracle {

	static final int DEFAULT_WINDOW = 65535;

	private final DefaultHttp2HeadersDecoder headersDecoder = new DefaultHttp2HeadersDecoder(true, true, 1 << 20);

	private final DefaultHttp2FrameReader reader = new DefaultHttp2FrameReader(this.headersDecoder);

	private final EmbeddedChannel context = new EmbeddedChannel(new ChannelInboundHandlerAdapter());

	private final Listener listener = new Listener();

	private final Map<Integer, WireStream> streams = new HashMap<>();

	/** Settings that the server has not acknowledged, in their order. */
	private final Queue<int[]> settings = new ArrayDeque<>();

	private final List<String> frames = new ArrayList<>();

	private final FrameCutter frameCutter = new FrameCutter();

	private int outboundInitialWindow = DEFAULT_WINDOW;

	private long outboundWindow = DEFAULT_WINDOW;

	private int inboundInitialWindow = DEFAULT_WINDOW;

	private long inboundWindow = DEFAULT_WINDOW;

	private final List<Long> pingAcks = new ArrayList<>();

	private final List<Long> pings = new ArrayList<>();

	private final List<GoAway> goAways = new ArrayList<>();

	private boolean settingsRead;

	private int settingsAcks;

	private long bytesRead;

	private boolean hostile;

	// what the client does

	/**
	 * The client breaks rules: the server may answer a frame with RST_STREAM whatever it
	 * has sent on that stream before.
	 */
	void expectsHostility() {
		this.hostile = true;
	}

	/**
	 * The client sends settings: identifiers and values in turn.
	 */
	void sentSettings(int... idsAndValues) {
		this.settings.add(idsAndValues);
	}

	/**
	 * The client opens a stream, or tries to.
	 */
	WireStream sentHeaders(int streamId) {
		return this.streams.computeIfAbsent(streamId,
				(id) -> new WireStream(id, this.outboundInitialWindow, this.inboundInitialWindow));
	}

	void sentData(int streamId, int bytes) {
		this.inboundWindow -= bytes;
		WireStream stream = this.streams.get(streamId);
		if (stream != null) {
			stream.inboundWindow -= bytes;
		}
	}

	void sentWindowUpdate(int streamId, int increment) {
		if (streamId == 0) {
			this.outboundWindow += increment;
		}
		else {
			WireStream stream = this.streams.get(streamId);
			if (stream != null) {
				stream.outboundWindow += increment;
			}
		}
	}

	void sentReset(int streamId) {
		WireStream stream = this.streams.get(streamId);
		if (stream != null) {
			stream.resetByClient = true;
		}
	}

	// what the client knows

	/**
	 * Returns what the server sent on a stream.
	 */
	WireStream stream(int streamId) {
		WireStream stream = this.streams.get(streamId);
		if (stream == null) {
			throw new AssertionError("stream " + streamId + " was never opened");
		}
		return stream;
	}

	/**
	 * What the server may send on all streams together.
	 */
	long outboundWindow() {
		return this.outboundWindow;
	}

	/**
	 * What the client may send on all streams together.
	 */
	long inboundWindow() {
		return this.inboundWindow;
	}

	int settingsAcks() {
		return this.settingsAcks;
	}

	int settingsPending() {
		return this.settings.size();
	}

	List<Long> pingAcks() {
		return this.pingAcks;
	}

	List<Long> pings() {
		return this.pings;
	}

	List<GoAway> goAways() {
		return this.goAways;
	}

	long bytesRead() {
		return this.bytesRead;
	}

	/**
	 * Returns a line for each frame, in order.
	 */
	List<String> frames() {
		return this.frames;
	}

	/**
	 * Whether the last frame came in full.
	 */
	boolean isBetweenFrames() {
		return this.frameCutter.isBetweenFrames();
	}

	// what the server does

	/**
	 * The server sent bytes, any number of them.
	 */
	void read(byte[] bytes) {
		this.bytesRead += bytes.length;
		this.frameCutter.read(bytes, this::readFrame);
	}

	private void readFrame(ByteBuf frame) {
		int length = frame.getUnsignedMedium(0);
		int type = frame.getByte(3);
		int flags = frame.getUnsignedByte(4);
		int streamId = frame.getInt(5);
		this.frames.add(FrameHeaders.describe(type, flags, streamId, length));
		check(streamId >= 0, "the reserved bit is set");
		check(this.settingsRead || type == Http2FrameTypes.SETTINGS, "the first frame is not SETTINGS");
		check((flags & ~FrameHeaders.allowedFlags(type)) == 0, "flags that mean nothing, or padding");
		try {
			this.reader.readFrame(this.context.pipeline().firstContext(), frame, this.listener);
		}
		catch (Http2Exception ex) {
			throw new AssertionError("the strict reader refuses it: " + ex.getMessage() + "; " + where(), ex);
		}
		check(!frame.isReadable(), "the frame was not read to its end");
	}

	private String where() {
		int from = Math.max(0, this.frames.size() - 12);
		return "the last frames were " + this.frames.subList(from, this.frames.size());
	}

	private void check(boolean condition, String fault) {
		if (!condition) {
			throw new AssertionError(fault + "; " + where());
		}
	}

	/**
	 * Lets go of what the reader holds.
	 */
	void close() {
		this.reader.close();
		this.context.finishAndReleaseAll();
	}

	private final class Listener extends Http2FrameAdapter {

		@Override
		public void onSettingsRead(ChannelHandlerContext ctx, Http2Settings settings) {
			check(!WireOracle.this.settingsRead, "the server sent SETTINGS twice");
			WireOracle.this.settingsRead = true;
			check(settings.pushEnabled() == null && settings.headerTableSize() == null,
					"a server must not send ENABLE_PUSH, and this one keeps the default table");
			Integer window = settings.initialWindowSize();
			if (window != null) {
				int delta = window - WireOracle.this.inboundInitialWindow;
				WireOracle.this.inboundInitialWindow = window;
				WireOracle.this.streams.values().forEach((stream) -> stream.inboundWindow += delta);
			}
		}

		@Override
		public void onSettingsAckRead(ChannelHandlerContext ctx) throws Http2Exception {
			int[] acknowledged = WireOracle.this.settings.poll();
			check(acknowledged != null, "SETTINGS were acknowledged that were not sent");
			WireOracle.this.settingsAcks++;
			for (int i = 0; i < acknowledged.length; i += 2) {
				apply(acknowledged[i], acknowledged[i + 1]);
			}
		}

		private void apply(int id, int value) throws Http2Exception {
			switch (id) {
				case 0x1 ->
					WireOracle.this.headersDecoder.configuration().maxHeaderTableSize(Integer.toUnsignedLong(value));
				case 0x4 -> {
					int delta = value - WireOracle.this.outboundInitialWindow;
					WireOracle.this.outboundInitialWindow = value;
					WireOracle.this.streams.values().forEach((stream) -> stream.outboundWindow += delta);
				}
				case 0x5 -> WireOracle.this.reader.configuration().frameSizePolicy().maxFrameSize(value);
				default -> {
					// of no concern to what the server sends
				}
			}
		}

		@Override
		public void onHeadersRead(ChannelHandlerContext ctx, int streamId, Http2Headers headers, int padding,
				boolean endOfStream) {
			WireStream stream = opened(streamId);
			List<String> fields = HeaderFields.of(headers);
			check(!HeaderFields.haveOuterSpace(fields), "a value begins or ends with white space: " + fields);
			if (stream.phase == Phase.OPENED) {
				check(headers.status() != null, "response headers without :status");
				stream.headers = fields;
				stream.phase = endOfStream ? Phase.ENDED : Phase.HEADERS;
				stream.trailersOnly = endOfStream;
			}
			else {
				check(stream.phase == Phase.HEADERS, "HEADERS on stream " + streamId + " after " + stream.phase);
				check(endOfStream, "trailers without END_STREAM on stream " + streamId);
				check(headers.status() == null, "trailers with :status");
				stream.trailers = fields;
				stream.phase = Phase.ENDED;
			}
		}

		@Override
		public int onDataRead(ChannelHandlerContext ctx, int streamId, ByteBuf data, int padding, boolean endOfStream) {
			WireStream stream = opened(streamId);
			check(stream.phase == Phase.HEADERS, "DATA on stream " + streamId + " after " + stream.phase);
			int bytes = data.readableBytes();
			check(bytes > 0, "an empty DATA frame");
			WireOracle.this.outboundWindow -= bytes;
			stream.outboundWindow -= bytes;
			check(WireOracle.this.outboundWindow >= 0,
					"the connection's window is overdrawn by " + -WireOracle.this.outboundWindow);
			check(stream.outboundWindow >= 0,
					"the window of stream " + streamId + " is overdrawn by " + -stream.outboundWindow);
			stream.body.writeBytes(ByteBufUtil.getBytes(data));
			data.skipBytes(bytes);
			if (endOfStream) {
				check(!"200".equals(stream.header(":status")), "a gRPC response ended with DATA");
				stream.phase = Phase.ENDED;
			}
			return bytes;
		}

		@Override
		public void onRstStreamRead(ChannelHandlerContext ctx, int streamId, long errorCode) {
			WireStream stream = opened(streamId);
			stream.lastResetCode = errorCode;
			if ((errorCode == Http2Error.STREAM_CLOSED.code() || (WireOracle.this.hostile && errorCode != 0))
					&& (stream.phase == Phase.ENDED || stream.phase == Phase.RESET)) {
				// the answer to a frame that the peer sent after its own end
				stream.faultsAfterEnd++;
				return;
			}
			check(stream.phase != Phase.RESET, "stream " + streamId + " was reset twice");
			if (stream.phase == Phase.ENDED) {
				check(errorCode == 0, "RST_STREAM(" + errorCode + ") after END_STREAM on stream " + streamId);
				check(!stream.endWasRead, "RST_STREAM on stream " + streamId + ", which both sides have ended");
				stream.resetAfterEnd = true;
			}
			stream.phase = Phase.RESET;
			stream.resetCode = errorCode;
		}

		@Override
		public void onWindowUpdateRead(ChannelHandlerContext ctx, int streamId, int increment) {
			if (streamId == 0) {
				WireOracle.this.inboundWindow += increment;
				check(WireOracle.this.inboundWindow <= Integer.MAX_VALUE, "the connection's credit is above 2^31-1");
				return;
			}
			WireStream stream = opened(streamId);
			check(stream.phase != Phase.RESET, "WINDOW_UPDATE on stream " + streamId + " after RST_STREAM");
			stream.inboundWindow += increment;
			stream.windowUpdates++;
			check(stream.inboundWindow <= WireOracle.this.inboundInitialWindow,
					"stream " + streamId + " was given more credit than it used");
		}

		@Override
		public void onPingAckRead(ChannelHandlerContext ctx, long data) {
			WireOracle.this.pingAcks.add(data);
		}

		@Override
		public void onPingRead(ChannelHandlerContext ctx, long data) {
			WireOracle.this.pings.add(data);
		}

		@Override
		public void onGoAwayRead(ChannelHandlerContext ctx, int lastStreamId, long errorCode, ByteBuf debugData) {
			GoAway last = WireOracle.this.goAways.isEmpty() ? null
					: WireOracle.this.goAways.get(WireOracle.this.goAways.size() - 1);
			check(last == null || lastStreamId <= last.lastStreamId(), "GOAWAY raised the last stream");
			String text = debugData.toString(StandardCharsets.UTF_8);
			WireOracle.this.goAways.add(new GoAway(lastStreamId, errorCode, text));
			debugData.skipBytes(debugData.readableBytes());
		}

		@Override
		public void onPushPromiseRead(ChannelHandlerContext ctx, int streamId, int promisedStreamId,
				Http2Headers headers, int padding) {
			check(false, "the server pushes");
		}

		@Override
		public void onPriorityRead(ChannelHandlerContext ctx, int streamId, int streamDependency, short weight,
				boolean exclusive) {
			check(false, "the server prioritizes");
		}

		private WireStream opened(int streamId) {
			WireStream stream = WireOracle.this.streams.get(streamId);
			check(stream != null, "a frame on stream " + streamId + ", which was never opened");
			return stream;
		}

	}

	/**
	 * A GOAWAY frame.
	 */
	record GoAway(int lastStreamId, long errorCode, @Nullable String debugData) {
	}

}
