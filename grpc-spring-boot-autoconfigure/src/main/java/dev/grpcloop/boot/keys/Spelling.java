package dev.grpcloop.boot.keys;

/**
 * How keys are written, and how far apart two of them are.
 */
final class Spelling {

	private Spelling() {
	}

	/**
	 * Takes the differences out of a key that Spring Boot does not see: upper case,
	 * dashes and underscores. An index or a map's key in brackets becomes an element like
	 * others.
	 * @param key the key as it was written
	 * @return lower-case letters, digits and dots
	 */
	static String uniform(String key) {
		StringBuilder uniform = new StringBuilder(key.length());
		for (int index = 0; index < key.length(); index++) {
			char character = key.charAt(index);
			if (character == '.' || character == '[') {
				if (!uniform.isEmpty() && uniform.charAt(uniform.length() - 1) != '.') {
					uniform.append('.');
				}
			}
			else if (Character.isLetterOrDigit(character)) {
				uniform.append(Character.toLowerCase(character));
			}
		}
		return uniform.toString();
	}

	/**
	 * Counts the slips of a finger between two words: a letter too many, too few or
	 * wrong, or two next to each other in the wrong order.
	 * @param one a word
	 * @param other another
	 * @return the least number of slips that make one of the other
	 */
	static int distance(String one, String other) {
		int[] beforeLast = new int[other.length() + 1];
		int[] last = new int[other.length() + 1];
		int[] row = new int[other.length() + 1];
		for (int column = 0; column <= other.length(); column++) {
			last[column] = column;
		}
		for (int line = 1; line <= one.length(); line++) {
			row[0] = line;
			for (int column = 1; column <= other.length(); column++) {
				boolean same = one.charAt(line - 1) == other.charAt(column - 1);
				int least = Math.min(Math.min(row[column - 1], last[column]) + 1, last[column - 1] + (same ? 0 : 1));
				if (line > 1 && column > 1 && one.charAt(line - 1) == other.charAt(column - 2)
						&& one.charAt(line - 2) == other.charAt(column - 1)) {
					least = Math.min(least, beforeLast[column - 2] + 1);
				}
				row[column] = least;
			}
			int[] free = beforeLast;
			beforeLast = last;
			last = row;
			row = free;
		}
		return last[other.length()];
	}

}
