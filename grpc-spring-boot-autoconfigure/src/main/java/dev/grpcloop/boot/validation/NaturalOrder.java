package dev.grpcloop.boot.validation;

/**
 * The order in which people count: {@code items[2]} is before {@code items[10]}.
 */
final class NaturalOrder {

	private NaturalOrder() {
	}

	/**
	 * Compares two texts; numbers in them, of up to 18 digits, by their value.
	 * @param first a text
	 * @param second another one
	 * @return as a comparator does
	 */
	static int compare(String first, String second) {
		int i = 0;
		int j = 0;
		while (i < first.length() && j < second.length()) {
			int endOfFirst = endOfNumber(first, i);
			int endOfSecond = endOfNumber(second, j);
			int order;
			if (endOfFirst > i && endOfSecond > j) {
				order = Long.compare(Long.parseLong(first.substring(i, endOfFirst)),
						Long.parseLong(second.substring(j, endOfSecond)));
				i = endOfFirst;
				j = endOfSecond;
			}
			else {
				order = Character.compare(first.charAt(i++), second.charAt(j++));
			}
			if (order != 0) {
				return order;
			}
		}
		int rest = Integer.compare(first.length() - i, second.length() - j);
		return (rest != 0) ? rest : first.compareTo(second);
	}

	private static int endOfNumber(String text, int start) {
		int end = start;
		while (end < text.length() && end - start < 18 && text.charAt(end) >= '0' && text.charAt(end) <= '9') {
			end++;
		}
		return end;
	}

}
