package dev.grpcloop.engine.http2;

import io.netty.buffer.ByteBuf;

/**
 * The representations of HPACK that a header block is made of, without Huffman code.
 * Source: RFC 7541 sections 5 and 6.
 */
final class HpackFields {

	/** Not in a table: the name itself is written. */
	static final int NO_INDEX = 0;

	/** The longest representation beyond its name and value: three integers. */
	static final int MAX_OVERHEAD = 3 * 6;

	private HpackFields() {
	}

	/**
	 * A field that is in a table, name and value.
	 * @param out grows as needed
	 * @param index its index, from 1
	 */
	static void indexed(ByteBuf out, int index) {
		integer(out, 0x80, 7, index);
	}

	/**
	 * A field that enters the peer's dynamic table, as its newest entry.
	 * @param out grows as needed
	 * @param nameIndex the index of its name, or {@link #NO_INDEX}
	 * @param name its name, written only where there is no index
	 * @param value its value
	 */
	static void inserted(ByteBuf out, int nameIndex, byte[] name, byte[] value) {
		nameAndValue(out, 0x40, 6, nameIndex, name, value);
	}

	/**
	 * A field that touches no table.
	 * @param out grows as needed
	 * @param nameIndex the index of its name, or {@link #NO_INDEX}
	 * @param name its name, written only where there is no index
	 * @param value its value
	 */
	static void literal(ByteBuf out, int nameIndex, byte[] name, byte[] value) {
		nameAndValue(out, 0x00, 4, nameIndex, name, value);
	}

	/**
	 * A dynamic table size update, allowed only where a block begins.
	 * @param out grows as needed
	 * @param size the table's new maximum size in bytes
	 */
	static void tableSize(ByteBuf out, int size) {
		integer(out, 0x20, 5, size);
	}

	private static void nameAndValue(ByteBuf out, int pattern, int prefix, int nameIndex, byte[] name, byte[] value) {
		integer(out, pattern, prefix, nameIndex);
		if (nameIndex == NO_INDEX) {
			string(out, name);
		}
		string(out, value);
	}

	private static void string(ByteBuf out, byte[] value) {
		integer(out, 0x00, 7, value.length);
		out.writeBytes(value);
	}

	/** An integer behind the pattern of its first octet: section 5.1. */
	private static void integer(ByteBuf out, int pattern, int prefix, int value) {
		int max = (1 << prefix) - 1;
		if (value < max) {
			out.writeByte(pattern | value);
			return;
		}
		out.writeByte(pattern | max);
		int rest = value - max;
		while (rest >= 0x80) {
			out.writeByte(rest & 0x7F | 0x80);
			rest >>>= 7;
		}
		out.writeByte(rest);
	}

}
