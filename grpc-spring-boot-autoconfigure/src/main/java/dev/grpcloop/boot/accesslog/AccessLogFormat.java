package dev.grpcloop.boot.accesslog;

import java.math.BigDecimal;

/**
 * What a line of the access log looks like.
 */
public enum AccessLogFormat {

	/** {@code key=value}, with spaces in between. */
	TEXT {

		@Override
		String line(CallRecord call) {
			StringBuilder line = new StringBuilder();
			call.fields().forEach((key, value) -> {
				line.append(line.isEmpty() ? "" : " ").append(key).append('=');
				line.append((value instanceof String text) ? quotedIfNeeded(text) : number(value));
			});
			return line.toString();
		}

		private static String quotedIfNeeded(String escaped) {
			boolean plain = !escaped.isEmpty() && escaped.chars().noneMatch((c) -> " =\"\\".indexOf(c) >= 0);
			return plain ? escaped : '"' + escaped + '"';
		}

	},

	/** A JSON object. */
	JSON {

		@Override
		String line(CallRecord call) {
			StringBuilder line = new StringBuilder();
			call.fields().forEach((key, value) -> {
				line.append(line.isEmpty() ? '{' : ',').append('"').append(key).append("\":");
				line.append((value instanceof String text) ? '"' + text + '"' : number(value));
			});
			return line.append('}').toString();
		}

	};

	/**
	 * Writes a call.
	 * @param call the call
	 * @return one line, whatever the client has sent
	 */
	abstract String line(CallRecord call);

	private static String number(Object value) {
		return (value instanceof BigDecimal decimal) ? decimal.toPlainString() : value.toString();
	}

}
