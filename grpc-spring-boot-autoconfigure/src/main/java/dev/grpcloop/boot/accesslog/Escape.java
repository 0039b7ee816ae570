package dev.grpcloop.boot.accesslog;

/**
 * Makes text of clients harmless: it has a limit, and what could end a line, a value or
 * the colour of a terminal is written as JSON writes it.
 */
final class Escape {

	private static final int MAX_LENGTH = 256;

	private Escape() {
	}

	/**
	 * Shortens what is too long, so that what waits to be written is bounded.
	 * @param text the text
	 * @return at most 256 characters of it
	 */
	static String shorten(String text) {
		return (text.length() > MAX_LENGTH) ? text.substring(0, MAX_LENGTH) : text;
	}

	/**
	 * Escapes all but printable ASCII.
	 * @param text the text
	 * @return what can stand between quotes
	 */
	static String of(String text) {
		StringBuilder escaped = new StringBuilder(text.length());
		for (int i = 0; i < text.length(); i++) {
			char c = text.charAt(i);
			if (c == '"' || c == '\\') {
				escaped.append('\\').append(c);
			}
			else if (c < ' ' || c > '~') {
				escaped.append("\\u%04x".formatted((int) c));
			}
			else {
				escaped.append(c);
			}
		}
		return escaped.toString();
	}

}
