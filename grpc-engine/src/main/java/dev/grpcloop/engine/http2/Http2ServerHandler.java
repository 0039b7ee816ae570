package dev.grpcloop.engine.http2;

import java.io.IOException;

import dev.grpcloop.engine.call.CallLoop;
import dev.grpcloop.engine.telemetry.CloseReason;
import dev.grpcloop.engine.telemetry.Guard;
import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.handler.codec.http2.Http2Error;
import io.netty.handler.codec.http2.Http2Exception;
import org.jspecify.annotations.Nullable;

/**
 * The channel's end of a connection: makes it when the channel opens, gives it what the
 * channel reads, and maps what is wrong with that to the way the connection ends. One
 * handler serves one channel.
 */
public final class Http2ServerHandler extends ChannelInboundHandlerAdapter {

	private final CallLoop callLoop;

	private final LoopMemory memory;

	private final ConnectionEnvironment environment;

	private @Nullable Http2Connection connection;

	private @Nullable FrameAssembler frames;

	private @Nullable ClientPreface preface;

	private boolean opened;

	/**
	 * Creates the handler of a channel.
	 * @param callLoop the state of the channel's event loop
	 * @param memory what the connections of that loop hold
	 * @param environment what all connections of the server share
	 */
	public Http2ServerHandler(CallLoop callLoop, LoopMemory memory, ConnectionEnvironment environment) {
		this.callLoop = callLoop;
		this.memory = memory;
		this.environment = environment;
	}

	@Override
	public void handlerAdded(ChannelHandlerContext ctx) {
		this.connection = new Http2Connection(ctx, this.callLoop, this.memory, this.environment);
		this.frames = new FrameAssembler(ctx, this.connection);
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
			this.environment.owner().opened(this.connection);
			this.connection.pressure().opened();
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
			connection.errors().tripped(ex.guard(), ex.reason());
		}
		catch (Http2Exception ex) {
			if (ex.error() == Http2Error.ENHANCE_YOUR_CALM) {
				// the only abuse that the reader counts itself
				connection.errors().tripped(Guard.CONTINUATION_FLOOD, String.valueOf(ex.getMessage()));
			}
			else {
				connection.errors().connectionError(ex.error(), debugData(ex));
			}
		}
		catch (RuntimeException ex) {
			Http2Connection.LOGGER.log(System.Logger.Level.ERROR,
					"A fault of the server; " + ctx.channel() + " is closed", ex);
			connection.errors().endedByServer(CloseReason.SERVER_ERROR, "a fault of the server");
		}
		finally {
			in.release();
		}
		connection.batch().read(bytes);
	}

	private void read(ChannelHandlerContext ctx, ByteBuf in) throws Http2Exception {
		if (this.preface.isComplete() || readPreface(ctx, in)) {
			this.frames.read(in);
		}
	}

	private boolean readPreface(ChannelHandlerContext ctx, ByteBuf in) {
		if (!this.preface.read(ctx, in)) {
			return false;
		}
		this.connection.frames().settings(this.environment.policy().limits());
		this.connection.inboundFlow().open();
		return this.connection.handshakeDone();
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
			this.connection.closing().because(CloseReason.SERVER_ERROR);
		}
		ctx.close();
	}

	@Override
	public void channelInactive(ChannelHandlerContext ctx) {
		this.frames.close();
		this.connection.channelClosed();
		if (this.opened) {
			this.connection.memory().close();
			if (ctx.channel().eventLoop().isShuttingDown()) {
				this.connection.closing().because(CloseReason.SHUTDOWN);
			}
			this.callLoop.telemetry().connectionClosed(this.connection.closing().cause());
			this.environment.owner().closed(this.connection);
		}
	}

	/**
	 * What the decoder of header blocks says is not for the peer: it names its buffers.
	 */
	private static String debugData(Http2Exception ex) {
		return (ex.error() == Http2Error.COMPRESSION_ERROR) ? "a header block cannot be decoded"
				: String.valueOf(ex.getMessage());
	}

}
