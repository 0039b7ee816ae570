package dev.grpcloop.engine.http2;

import io.netty.buffer.ByteBuf;

/**
 * Looks through the representations of a header block (RFC 7541 section 6) without
 * decoding them.
 */
final class HeaderBlockScan {

	private static final int MALFORMED = -1;

	private HeaderBlockScan() {
	}

	/**
	 * Whether a block consists of indexed fields and of literals that are not added to
	 * the dynamic table.
	 * @param block the block; its indexes stay as they are
	 * @return {@code false} also if it is malformed
	 */
	static boolean leavesTableAlone(ByteBuf block) {
		int index = block.readerIndex();
		int end = block.writerIndex();
		while (index < end) {
			int first = block.getByte(index);
			if (first < 0) {
				index = skipInteger(block, index, end, 0x7f);
			}
			else if ((first & 0x60) != 0) {
				// a literal with incremental indexing, or a table size update
				return false;
			}
			else {
				boolean literalName = (first & 0x0f) == 0;
				index = skipInteger(block, index, end, 0x0f);
				if (literalName) {
					index = skipString(block, index, end);
				}
				index = skipString(block, index, end);
			}
			if (index == MALFORMED) {
				return false;
			}
		}
		return true;
	}

	private static int skipInteger(ByteBuf block, int index, int end, int prefix) {
		if ((block.getByte(index) & prefix) != prefix) {
			return index + 1;
		}
		for (int i = index + 1; i < end; i++) {
			if (block.getByte(i) >= 0) {
				return i + 1;
			}
		}
		return MALFORMED;
	}

	private static int skipString(ByteBuf block, int index, int end) {
		if (index == MALFORMED || index >= end) {
			return MALFORMED;
		}
		int length = block.getByte(index) & 0x7f;
		if (length == 0x7f) {
			// long strings are not worth remembering
			return MALFORMED;
		}
		int next = index + 1 + length;
		return (next <= end) ? next : MALFORMED;
	}

}
