package dev.grpcloop.engine.http2;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.handler.codec.http2.DefaultHttp2HeadersDecoder;
import io.netty.handler.codec.http2.Http2Exception;
import io.netty.handler.codec.http2.Http2Headers;
import org.jspecify.annotations.Nullable;

/**
 * Decodes header blocks into {@link RequestHeaders}, and remembers the last request's.
 * <p>
 * A client on a warm connection repeats the same block. When it neither adds to the
 * dynamic table nor resizes it, then as long as no other block has done so the same
 * octets mean the same headers. Every block of a connection passes here, so none can
 * change the table unseen.
 */
final class RequestHeadersDecoder extends DefaultHttp2HeadersDecoder {

	/** Longer blocks are rare, and not worth the memory. */
	private static final int MAX_REMEMBERED_LENGTH = 256;

	private byte @Nullable [] lastBlock;

	private @Nullable RequestHeaders lastHeaders;

	RequestHeadersDecoder(long maxHeaderListSize) {
		super(true, maxHeaderListSize);
	}

	@Override
	public Http2Headers decodeHeaders(int streamId, ByteBuf block) throws Http2Exception {
		int length = block.readableBytes();
		byte[] last = this.lastBlock;
		if (last != null && last.length == length && matches(block, last)) {
			block.skipBytes(length);
			return this.lastHeaders;
		}
		boolean repeatable = length > 0 && length <= MAX_REMEMBERED_LENGTH && HeaderBlockScan.leavesTableAlone(block);
		byte[] octets = repeatable ? ByteBufUtil.getBytes(block) : null;
		if (!repeatable) {
			// this block may change the table
			forget();
		}
		RequestHeaders headers;
		try {
			headers = (RequestHeaders) super.decodeHeaders(streamId, block);
		}
		catch (Http2Exception.HeaderListSizeException ex) {
			forget();
			return RequestHeaders.tooLarge(String.valueOf(ex.getMessage()));
		}
		catch (Http2Exception.StreamException ex) {
			// the whole block was decoded: the table is as the peer's
			forget();
			return RequestHeaders.malformed(String.valueOf(ex.getMessage()));
		}
		catch (Http2Exception ex) {
			forget();
			throw ex;
		}
		if (repeatable && headers.requestFault() == null) {
			this.lastBlock = octets;
			this.lastHeaders = headers;
		}
		return headers;
	}

	private void forget() {
		this.lastBlock = null;
		this.lastHeaders = null;
	}

	private static boolean matches(ByteBuf block, byte[] octets) {
		int index = block.readerIndex();
		for (int i = 0; i < octets.length; i++) {
			if (block.getByte(index + i) != octets[i]) {
				return false;
			}
		}
		return true;
	}

	@Override
	protected Http2Headers newHeaders() {
		return new RequestHeaders();
	}

}
