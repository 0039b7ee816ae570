package dev.grpcloop.engine.http2;

import java.nio.charset.StandardCharsets;

import dev.grpcloop.engine.telemetry.CloseReason;
import dev.grpcloop.engine.telemetry.Guard;
import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import org.jspecify.annotations.Nullable;

/**
 * Reads the client's preface (RFC 9113 section 3.4). A peer that sends something else has
 * taken the port for another (case B42): HTTP/1.1 is told so in its own terms, all else
 * is closed without a word.
 * <p>
 * Owned by the event loop.
 */
final class ClientPreface {

	private static final byte[] PREFACE = "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".getBytes(StandardCharsets.US_ASCII);

	private static final String EXPLANATION = "This port speaks gRPC over HTTP/2 with prior knowledge, and no HTTP/1.1.\n";

	private static final byte[] BAD_REQUEST = ("HTTP/1.1 400 Bad Request\r\nContent-Type: text/plain\r\nContent-Length: "
			+ EXPLANATION.length() + "\r\nConnection: close\r\n\r\n" + EXPLANATION)
		.getBytes(StandardCharsets.US_ASCII);

	private final Http2Connection connection;

	private int read;

	private @Nullable RequestLineScan foreign;

	ClientPreface(Http2Connection connection) {
		this.connection = connection;
	}

	boolean isComplete() {
		return this.read == PREFACE.length;
	}

	/**
	 * Reads on.
	 * @return whether the preface is complete; if it is not, nothing is left to read
	 */
	boolean read(ChannelHandlerContext ctx, ByteBuf in) {
		while (in.isReadable() && !isComplete()) {
			byte next = in.readByte();
			if (this.foreign == null && next == PREFACE[this.read]) {
				this.read++;
			}
			else {
				readForeign(ctx, next, in);
				return false;
			}
		}
		return isComplete();
	}

	private void readForeign(ChannelHandlerContext ctx, byte next, ByteBuf in) {
		RequestLineScan line = this.foreign;
		if (line == null) {
			line = new RequestLineScan();
			this.foreign = line;
			for (int i = 0; i < this.read; i++) {
				line.read(PREFACE[i]);
			}
		}
		line.read(next);
		while (in.isReadable()) {
			line.read(in.readByte());
		}
		if (line.verdict() == RequestLineScan.Verdict.UNDECIDED) {
			return;
		}
		String beginning = line.beginning();
		Http2Connection.LOGGER.log(System.Logger.Level.DEBUG, () -> ctx.channel()
				+ " does not speak HTTP/2 with prior knowledge; it began with \"" + beginning + "\" and is closed");
		this.connection.telemetry().guardTripped(Guard.FOREIGN_PROTOCOL);
		this.connection.closing().because(CloseReason.GUARD);
		if (line.verdict() == RequestLineScan.Verdict.HTTP_1_1) {
			ctx.write(ctx.alloc().buffer(BAD_REQUEST.length).writeBytes(BAD_REQUEST), ctx.voidPromise());
			this.connection.telemetry().bytesSent(BAD_REQUEST.length);
			this.connection.closing().close();
		}
		else {
			this.connection.closing().closeWithoutAWord();
		}
	}

}
