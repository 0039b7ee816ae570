package dev.grpcloop.engine.http2;

import dev.grpcloop.engine.telemetry.Refusal;
import io.grpc.Status;
import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.codec.http2.Http2Error;
import io.netty.handler.codec.http2.Http2Exception;
import io.netty.handler.codec.http2.Http2Flags;
import io.netty.handler.codec.http2.Http2FrameListener;
import io.netty.handler.codec.http2.Http2Headers;
import io.netty.handler.codec.http2.Http2Settings;

/**
 * What the server does about each frame of its peer. The reader has checked the frame by
 * itself; here it is checked against the state of the connection and its streams.
 * <p>
 * Owned by the event loop.
 */
final class FrameHandler implements Http2FrameListener {

	private final Http2Connection connection;

	private final AbuseGuards abuse;

	private final SettingsExchange settings;

	private final PingExchange pings;

	private final RequestAdmission requests;

	/** How many streams the peer has opened, those that were refused too. */
	private int streamsOpened;

	/** The last stream that was opened when it was too late. */
	private int lastIgnored;

	FrameHandler(Http2Connection connection) {
		this.connection = connection;
		this.abuse = connection.abuse();
		this.settings = new SettingsExchange(connection);
		this.pings = new PingExchange(connection);
		this.requests = new RequestAdmission(connection, this.settings);
	}

	@Override
	public void onHeadersRead(ChannelHandlerContext ctx, int streamId, Http2Headers headers, int streamDependency,
			short weight, boolean exclusive, int padding, boolean endOfStream) throws Http2Exception {
		onHeadersRead(ctx, streamId, headers, padding, endOfStream);
	}

	@Override
	public void onHeadersRead(ChannelHandlerContext ctx, int streamId, Http2Headers headers, int padding,
			boolean endOfStream) throws Http2Exception {
		this.connection.timers().headers().blockEnded();
		RequestHeaders fields = (RequestHeaders) headers;
		Http2Stream stream = this.connection.streams().get(streamId);
		if (stream != null) {
			onTrailers(stream, fields, endOfStream);
			return;
		}
		if ((streamId & 1) == 0) {
			throw Http2Exception.connectionError(Http2Error.PROTOCOL_ERROR,
					"HEADERS on stream %d; a client's streams have odd numbers", streamId);
		}
		if (streamId <= this.connection.lastStreamId()) {
			if (fields.hasPseudoHeaders()) {
				throw Http2Exception.connectionError(Http2Error.PROTOCOL_ERROR,
						"stream %d was used before; the last one was %d", streamId, this.connection.lastStreamId());
			}
			if (this.connection.closedStreams().contains(streamId)) {
				throw Http2Exception.streamError(streamId, Http2Error.STREAM_CLOSED,
						"HEADERS after the end of stream %d", streamId);
			}
			// trailers that crossed the end of the stream on the wire
			this.abuse.idleFrame();
			return;
		}
		if (admits(streamId, fields, endOfStream)) {
			this.connection.requests().dispatch(streamId, fields, endOfStream);
		}
		else if (!endOfStream) {
			this.connection.inboundFlow().notServed();
		}
	}

	/**
	 * Whether a new stream becomes a request. If not, its client has been told.
	 */
	private boolean admits(int streamId, RequestHeaders fields, boolean endOfStream) throws AbuseException {
		if (this.connection.closing().refusesStreams()) {
			if (streamId > this.lastIgnored) {
				// what follows on it are its trailers
				this.lastIgnored = streamId;
				this.requests.refused(Refusal.CLOSING);
			}
			this.abuse.idleFrame();
			return false;
		}
		this.connection.lastStreamId(streamId);
		this.streamsOpened++;
		return this.requests.admits(streamId, fields, endOfStream);
	}

	private static void onTrailers(Http2Stream stream, RequestHeaders fields, boolean endOfStream)
			throws Http2Exception {
		if (!stream.state().remoteOpen()) {
			throw Http2Exception.streamError(stream.id(), Http2Error.STREAM_CLOSED,
					"HEADERS after the end of stream %d", stream.id());
		}
		if (!endOfStream || !fields.areTrailers()) {
			throw Http2Exception.streamError(stream.id(), Http2Error.PROTOCOL_ERROR,
					"the second HEADERS of stream %d are no trailers", stream.id());
		}
		if (!stream.agreesWithContentLength(0, true)) {
			throw disagreement(stream.id());
		}
		stream.onEndOfStream();
	}

	private static Http2Exception disagreement(int streamId) {
		return Http2Exception.streamError(streamId, Http2Error.PROTOCOL_ERROR,
				"the DATA of stream %d disagree with its content-length", streamId);
	}

	@Override
	public int onDataRead(ChannelHandlerContext ctx, int streamId, ByteBuf data, int padding, boolean endOfStream)
			throws Http2Exception {
		int length = data.readableBytes();
		int bytes = length + padding;
		if (length == 0 && !endOfStream) {
			this.abuse.emptyDataRead();
		}
		if (!this.connection.inboundFlow().receive(bytes)) {
			throw Http2Exception.connectionError(Http2Error.FLOW_CONTROL_ERROR,
					"the peer sent more than the connection's flow-control window");
		}
		Http2Stream stream = this.connection.streams().get(streamId);
		if (stream == null) {
			checkNotIdle(streamId, "DATA");
			this.connection.inboundFlow().dropped(bytes);
			if (this.connection.closedStreams().contains(streamId)) {
				throw Http2Exception.streamError(streamId, Http2Error.STREAM_CLOSED, "DATA after the end of stream %d",
						streamId);
			}
			if (!this.connection.inboundFlow().spendLeftover(bytes)) {
				throw Http2Exception.connectionError(Http2Error.STREAM_CLOSED,
						"the peer sent more than the windows of the streams that have ended");
			}
			return bytes;
		}
		if (!stream.state().remoteOpen()) {
			this.connection.inboundFlow().dropped(bytes);
			throw Http2Exception.streamError(streamId, Http2Error.STREAM_CLOSED, "DATA after the end of stream %d",
					streamId);
		}
		if (!stream.agreesWithContentLength(length, endOfStream)) {
			this.connection.inboundFlow().dropped(bytes);
			throw disagreement(streamId);
		}
		if (!stream.onData(data, padding, endOfStream)) {
			throw Http2Exception.streamError(streamId, Http2Error.FLOW_CONTROL_ERROR,
					"the peer sent more than the window of stream %d", streamId);
		}
		return bytes;
	}

	private void checkNotIdle(int streamId, String frame) throws Http2Exception {
		if (this.connection.isIdle(streamId)) {
			throw Http2Exception.connectionError(Http2Error.PROTOCOL_ERROR, "%s on stream %d, which was never opened",
					frame, streamId);
		}
	}

	@Override
	public void onRstStreamRead(ChannelHandlerContext ctx, int streamId, long errorCode) throws Http2Exception {
		this.connection.telemetry().resetReceived(errorCode);
		this.abuse.resetRead();
		Http2Stream stream = this.connection.streams().get(streamId);
		if (stream != null) {
			stream.onReset(Status.CANCELLED.withDescription("The client reset the stream"));
		}
		else {
			checkNotIdle(streamId, "RST_STREAM");
		}
	}

	@Override
	public void onSettingsRead(ChannelHandlerContext ctx, Http2Settings settings) throws Http2Exception {
		this.settings.read(settings);
	}

	@Override
	public void onSettingsAckRead(ChannelHandlerContext ctx) throws Http2Exception {
		this.settings.ackRead();
	}

	@Override
	public void onPingRead(ChannelHandlerContext ctx, long data) {
		this.pings.read(data);
	}

	@Override
	public void onPingAckRead(ChannelHandlerContext ctx, long data) throws Http2Exception {
		this.pings.ackRead(data);
	}

	@Override
	public void onPriorityRead(ChannelHandlerContext ctx, int streamId, int streamDependency, short weight,
			boolean exclusive) throws Http2Exception {
		this.abuse.idleFrame();
	}

	@Override
	public void onUnknownFrame(ChannelHandlerContext ctx, byte frameType, int streamId, Http2Flags flags,
			ByteBuf payload) throws Http2Exception {
		this.abuse.idleFrame();
	}

	/**
	 * The client opens no more streams; those that there are go on.
	 */
	@Override
	public void onGoAwayRead(ChannelHandlerContext ctx, int lastStreamId, long errorCode, ByteBuf debugData)
			throws Http2Exception {
		this.abuse.idleFrame();
	}

	@Override
	public void onPushPromiseRead(ChannelHandlerContext ctx, int streamId, int promisedStreamId, Http2Headers headers,
			int padding) throws Http2Exception {
		throw Http2Exception.connectionError(Http2Error.PROTOCOL_ERROR, "a client must not send PUSH_PROMISE");
	}

	@Override
	public void onWindowUpdateRead(ChannelHandlerContext ctx, int streamId, int increment) throws Http2Exception {
		this.abuse.windowUpdateRead(this.connection.frames().dataFrames() + this.streamsOpened);
		if (streamId == 0) {
			if (!this.connection.outboundFlow().increaseConnectionWindow(increment)) {
				throw Http2Exception.connectionError(Http2Error.FLOW_CONTROL_ERROR,
						"the connection's window has become larger than 2^31-1");
			}
			this.connection.resumeOutput();
			return;
		}
		Http2Stream stream = this.connection.streams().get(streamId);
		if (stream == null) {
			checkNotIdle(streamId, "WINDOW_UPDATE");
			return;
		}
		if (!stream.increaseSendWindow(increment)) {
			throw Http2Exception.streamError(streamId, Http2Error.FLOW_CONTROL_ERROR,
					"the window of stream %d has become larger than 2^31-1", streamId);
		}
		this.connection.resumeOutput();
	}

}
