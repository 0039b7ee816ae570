package dev.grpcloop.engine.http2;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;

/**
 * Writes header blocks byte for byte as told, whether they are allowed or not: literals
 * without Huffman code, in the order given.
 */
final class RawHpack {

	private RawHpack() {
	}

	/**
	 * Literals that do not enter the table.
	 * @param fields names and values in turn
	 */
	static byte[] block(String... fields) {
		return block(0x00, fields);
	}

	/**
	 * Literals that enter the table.
	 * @param fields names and values in turn
	 */
	static byte[] insertingBlock(String... fields) {
		return block(0x40, fields);
	}

	private static byte[] block(int pattern, String... fields) {
		ByteArrayOutputStream out = new ByteArrayOutputStream();
		for (int i = 0; i < fields.length; i += 2) {
			out.write(pattern);
			string(out, fields[i]);
			string(out, fields[i + 1]);
		}
		return out.toByteArray();
	}

	private static void string(ByteArrayOutputStream out, String text) {
		byte[] bytes = text.getBytes(StandardCharsets.ISO_8859_1);
		integer(out, 0x00, 7, bytes.length);
		out.writeBytes(bytes);
	}

	/**
	 * Fields that stand in a table already.
	 */
	static byte[] indexed(int... indexes) {
		ByteArrayOutputStream out = new ByteArrayOutputStream();
		for (int index : indexes) {
			integer(out, 0x80, 7, index);
		}
		return out.toByteArray();
	}

	/**
	 * A table size update.
	 */
	static byte[] tableSize(int size) {
		ByteArrayOutputStream out = new ByteArrayOutputStream();
		integer(out, 0x20, 5, size);
		return out.toByteArray();
	}

	static byte[] concat(byte[]... blocks) {
		ByteArrayOutputStream out = new ByteArrayOutputStream();
		for (byte[] block : blocks) {
			out.writeBytes(block);
		}
		return out.toByteArray();
	}

	private static void integer(ByteArrayOutputStream out, int pattern, int prefix, int value) {
		int max = (1 << prefix) - 1;
		if (value < max) {
			out.write(pattern | value);
			return;
		}
		out.write(pattern | max);
		int rest = value - max;
		while (rest >= 0x80) {
			out.write(rest & 0x7f | 0x80);
			rest >>>= 7;
		}
		out.write(rest);
	}

}
