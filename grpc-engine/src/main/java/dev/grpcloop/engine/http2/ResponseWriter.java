package dev.grpcloop.engine.http2;

import java.nio.charset.StandardCharsets;

import dev.grpcloop.engine.message.StatusCodec;
import io.grpc.Status;
import io.netty.buffer.ByteBuf;
import org.jspecify.annotations.Nullable;

/**
 * Writes the header blocks of responses into HEADERS frames. If anything throws on the
 * way, the buffer and the HPACK state are as they were: half a frame, or an entry that
 * the peer never saw, would spoil the connection for all its streams.
 */
final class ResponseWriter {

	private static final byte[][] NO_METADATA = {};

	private final FrameWriter frames;

	private final HeaderBlockWriter blocks;

	private final int acceptEncodingLength;

	private final ResponseHeaderLimit limit = new ResponseHeaderLimit();

	private int maxFrameSize = 16384;

	ResponseWriter(FrameWriter frames, byte @Nullable [] acceptEncoding) {
		this.frames = frames;
		this.blocks = new HeaderBlockWriter(acceptEncoding);
		this.acceptEncodingLength = (acceptEncoding != null) ? acceptEncoding.length : 0;
	}

	void peerTableSize(long size) {
		this.blocks.peerTableSize(size);
	}

	/**
	 * The peer lowers its table, if only for a moment.
	 */
	void peerTableSizeAtMost(long size) {
		this.blocks.peerTableSizeAtMost(size);
	}

	void peerMaxFrameSize(int size) {
		this.maxFrameSize = Math.min(size, OutboundFlow.MAX_FRAME);
	}

	/**
	 * The peer limits the header lists that it accepts.
	 */
	void peerMaxHeaderListSize(long size) {
		this.limit.max(size);
	}

	/**
	 * Says why response headers cannot be sent.
	 * @return {@code null} if the peer accepts them
	 */
	@Nullable Status headersFault(byte @Nullable [] encoding, byte[][] metadata) {
		if (metadata.length == 0 || this.limit.max() == Long.MAX_VALUE) {
			return null;
		}
		long size = ResponseHeaderLimit.size(this.acceptEncodingLength, encoding, metadata);
		return (size <= this.limit.max()) ? null : Status.RESOURCE_EXHAUSTED
			.withDescription("Response headers have " + size + " bytes; the client accepts " + this.limit.max());
	}

	int maxFrameSize() {
		return this.maxFrameSize;
	}

	void headers(int streamId, byte @Nullable [] encoding, byte[][] metadata) {
		int bound = this.blocks.bound(metadata, encoding, null);
		ByteBuf out = this.frames.beginHeaders(bound);
		int start = out.writerIndex() - FrameWriter.FRAME_HEADER_LENGTH;
		long mark = this.blocks.mark();
		boolean written = false;
		try {
			this.blocks.responseHeaders(out, null, encoding, metadata);
			written = true;
		}
		finally {
			if (!written) {
				rollBack(out, start, mark);
			}
		}
		this.frames.endHeaders(out, start, streamId, false, this.maxFrameSize);
	}

	/**
	 * Writes trailers, with the response headers in the same block if these were not sent
	 * ("Trailers-Only"). What the peer does not accept is cut: the end of the message,
	 * and metadata that would not fit even without a message.
	 */
	void trailers(int streamId, Status status, byte[][] metadata, boolean trailersOnly) {
		byte[] code = StatusCodec.code(status.getCode());
		String description = status.getDescription();
		byte[][] fields = this.limit.allows(metadata, trailersOnly) ? metadata : NO_METADATA;
		byte[] message = (description != null)
				? this.limit.cut(StatusCodec.encodeMessage(description), fields, trailersOnly) : null;
		int bound = this.blocks.bound(fields, message, null);
		ByteBuf out = this.frames.beginHeaders(bound);
		int start = out.writerIndex() - FrameWriter.FRAME_HEADER_LENGTH;
		long mark = this.blocks.mark();
		boolean written = false;
		try {
			if (trailersOnly) {
				this.blocks.trailersOnly(out, code, message, fields);
			}
			else {
				this.blocks.trailers(out, code, message, fields);
			}
			written = true;
		}
		finally {
			if (!written) {
				rollBack(out, start, mark);
			}
		}
		this.frames.endHeaders(out, start, streamId, true, this.maxFrameSize);
	}

	/**
	 * Writes the headers of a refusal.
	 * @return its body
	 */
	byte[] refusal(int streamId, RequestCheck.HttpAnswer refusal) {
		String description = String.valueOf(refusal.status().getDescription());
		byte[] message = this.limit.cutRefusal(StatusCodec.encodeMessage(description));
		int bound = this.blocks.bound(NO_METADATA, message, null);
		ByteBuf out = this.frames.beginHeaders(bound);
		int start = out.writerIndex() - FrameWriter.FRAME_HEADER_LENGTH;
		this.blocks.refusal(out, refusal.httpStatus(), StatusCodec.code(refusal.status().getCode()), message);
		this.frames.endHeaders(out, start, streamId, false, this.maxFrameSize);
		return description.getBytes(StandardCharsets.UTF_8);
	}

	private void rollBack(ByteBuf out, int start, long mark) {
		out.writerIndex(start);
		this.blocks.reset(mark);
	}

}
