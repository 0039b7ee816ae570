package dev.grpcloop.engine.differential;

import java.util.zip.CRC32;

import org.jspecify.annotations.Nullable;

/**
 * A message as a script says it.
 *
 * @param size how many bytes
 * @param seed what they are
 * @param failure what its marshaller throws, or {@code null}
 */
record Msg(int size, int seed, @Nullable Failure failure) {

	/** The first byte of a request that says that the server's marshaller fails. */
	static final byte FAILS = (byte) 0xEE;

	byte[] bytes() {
		byte[] bytes = new byte[this.size];
		for (int i = 0; i < bytes.length; i++) {
			// compressible, and every byte in its place
			bytes[i] = (byte) ((i >>> 4) + this.seed & 0x7f);
		}
		return bytes;
	}

	byte[] request() {
		return (this.failure != null) ? new byte[] { FAILS, (byte) this.failure.ordinal() } : bytes();
	}

	static String describe(byte[] bytes) {
		CRC32 crc = new CRC32();
		crc.update(bytes);
		return bytes.length + ":" + Long.toHexString(crc.getValue());
	}

	static void failIfAsked(byte[] request) {
		if (request.length == 2 && request[0] == FAILS) {
			Failure.values()[request[1]].fail();
		}
	}

	@Override
	public String toString() {
		return this.size + "B#" + this.seed + ((this.failure != null) ? "!" + this.failure : "");
	}

}
