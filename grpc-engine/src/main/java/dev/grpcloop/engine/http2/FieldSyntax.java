package dev.grpcloop.engine.http2;

import io.netty.util.AsciiString;

/**
 * What octets a field name and a field value may have (RFC 9113 section 8.2.1).
 */
final class FieldSyntax {

	private FieldSyntax() {
	}

	static void checkName(AsciiString name) {
		int length = name.length();
		if (length == 0) {
			throw new IllegalArgumentException("a field has no name");
		}
		for (int i = 0; i < length; i++) {
			byte octet = name.byteAt(i);
			// negative octets are 0x80 to 0xff
			if (octet <= 0x20 || octet == 0x7f || octet == ':' || (octet >= 'A' && octet <= 'Z')) {
				throw new IllegalArgumentException(
						"a field name has the octet 0x" + Integer.toHexString(octet & 0xff) + ", which is not allowed");
			}
		}
	}

	static void checkValue(AsciiString value) {
		int length = value.length();
		for (int i = 0; i < length; i++) {
			byte octet = value.byteAt(i);
			if (octet == 0 || octet == '\r' || octet == '\n') {
				throw new IllegalArgumentException(
						"a field value has the octet 0x" + Integer.toHexString(octet) + ", which is not allowed");
			}
		}
	}

}
