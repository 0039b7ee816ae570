package dev.grpcloop.engine.http2;

import java.nio.ByteBuffer;

/**
 * A frame that a client may send, well-formed or not.
 *
 * @param length what its header says of the payload's length, true or not
 * @param type the type, 0 to 255
 * @param flags the flags, 0 to 255
 * @param streamId the stream; negative if the reserved bit is set
 * @param payload the payload
 */
record ClientFrame(int length, int type, int flags, int streamId, byte[] payload) {

	ClientFrame(int type, int flags, int streamId, byte... payload) {
		this(payload.length, type, flags, streamId, payload);
	}

	ClientFrame withLength(int length) {
		return new ClientFrame(length, this.type, this.flags, this.streamId, this.payload);
	}

	ClientFrame withType(int type) {
		return new ClientFrame(this.length, type, this.flags, this.streamId, this.payload);
	}

	ClientFrame withFlags(int flags) {
		return new ClientFrame(this.length, this.type, flags, this.streamId, this.payload);
	}

	ClientFrame withStreamId(int streamId) {
		return new ClientFrame(this.length, this.type, this.flags, streamId, this.payload);
	}

	ClientFrame withPayload(byte[] payload) {
		return new ClientFrame(this.type, this.flags, this.streamId, payload);
	}

	boolean isFlagged(int flag) {
		return (this.flags & flag) != 0;
	}

	byte[] bytes() {
		return ByteBuffer.allocate(9 + this.payload.length)
			.put((byte) (this.length >>> 16))
			.putShort((short) this.length)
			.put((byte) this.type)
			.put((byte) this.flags)
			.putInt(this.streamId)
			.put(this.payload)
			.array();
	}

	@Override
	public String toString() {
		String header = FrameHeaders.describe(this.type, this.flags, this.streamId, this.length);
		return (this.length == this.payload.length) ? header : header + " with " + this.payload.length + " bytes";
	}

}
