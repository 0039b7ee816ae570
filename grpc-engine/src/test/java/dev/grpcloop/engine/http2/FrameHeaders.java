package dev.grpcloop.engine.http2;

import io.netty.handler.codec.http2.Http2FrameTypes;

/**
 * What the header of a frame says (RFC 9113 section 4.1).
 */
final class FrameHeaders {

	private FrameHeaders() {
	}

	/**
	 * The flags that a server may set on a frame.
	 */
	static int allowedFlags(int type) {
		return switch (type) {
			case Http2FrameTypes.DATA -> ScriptedPeer.END_STREAM;
			case Http2FrameTypes.HEADERS -> ScriptedPeer.END_STREAM | ScriptedPeer.END_HEADERS;
			case Http2FrameTypes.CONTINUATION -> ScriptedPeer.END_HEADERS;
			case Http2FrameTypes.SETTINGS, Http2FrameTypes.PING -> ScriptedPeer.ACK;
			default -> 0;
		};
	}

	/**
	 * One line that tells a frame from others.
	 */
	static String describe(int type, int flags, int streamId, int length) {
		String name = switch (type) {
			case Http2FrameTypes.DATA -> "DATA";
			case Http2FrameTypes.HEADERS -> "HEADERS";
			case Http2FrameTypes.PRIORITY -> "PRIORITY";
			case Http2FrameTypes.RST_STREAM -> "RST_STREAM";
			case Http2FrameTypes.SETTINGS -> "SETTINGS";
			case Http2FrameTypes.PUSH_PROMISE -> "PUSH_PROMISE";
			case Http2FrameTypes.PING -> "PING";
			case Http2FrameTypes.GO_AWAY -> "GOAWAY";
			case Http2FrameTypes.WINDOW_UPDATE -> "WINDOW_UPDATE";
			case Http2FrameTypes.CONTINUATION -> "CONTINUATION";
			default -> "type " + type;
		};
		return name + " stream=" + streamId + " flags=" + Integer.toHexString(flags) + " length=" + length;
	}

}
