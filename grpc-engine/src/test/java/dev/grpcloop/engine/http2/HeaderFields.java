package dev.grpcloop.engine.http2;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;

import io.netty.handler.codec.http2.Http2Headers;

/**
 * The fields of a header block as text: names and values in turn.
 */
final class HeaderFields {

	private HeaderFields() {
	}

	static List<String> of(Http2Headers headers) {
		List<String> fields = new ArrayList<>();
		for (Map.Entry<CharSequence, CharSequence> field : headers) {
			fields.add(field.getKey().toString());
			fields.add(field.getValue().toString());
		}
		return fields;
	}

	/**
	 * Whether a value begins or ends with white space (RFC 9113 section 8.2.1).
	 */
	static boolean haveOuterSpace(List<String> fields) {
		for (int i = 1; i < fields.size(); i += 2) {
			String value = fields.get(i);
			if (!value.isEmpty() && (value.charAt(0) <= ' ' || value.charAt(value.length() - 1) <= ' ')) {
				return true;
			}
		}
		return false;
	}

}
