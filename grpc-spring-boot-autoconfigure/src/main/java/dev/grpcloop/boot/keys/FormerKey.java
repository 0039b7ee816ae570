package dev.grpcloop.boot.keys;

import java.util.List;

/**
 * A key of another starter, or of an older one.
 *
 * @param name the key in canonical form; a {@code .*} at the end says that there are only
 * keys below it
 * @param replacements what to write instead, in canonical form; none if there is nothing
 * @param remark what is different, or why there is nothing; may be empty
 */
record FormerKey(String name, List<String> replacements, String remark) {

	/**
	 * Reads a table with three columns: the key, what to write instead joined by
	 * {@code +} or {@code -}, and the remark.
	 * @param table one key a line, columns separated by {@code |}
	 * @return the keys
	 */
	static List<FormerKey> table(String table) {
		return table.lines().map((line) -> line.split("\\|", -1)).map((cells) -> {
			String replacement = cells[1].trim();
			return new FormerKey(cells[0].trim(),
					replacement.equals("-") ? List.of() : List.of(replacement.split("\\s*\\+\\s*")), cells[2].trim());
		}).toList();
	}

	/** The key, without what stands for those below it. */
	String root() {
		return this.name.endsWith(".*") ? this.name.substring(0, this.name.length() - 2) : this.name;
	}

	boolean matches(SetKey key) {
		String root = Spelling.uniform(root());
		return key.uniform().equals(root) || key.uniform().startsWith(root + ".");
	}

	/** Says what to do about the key. */
	String advice() {
		String remarks = this.remark.isEmpty() ? "" : " (" + this.remark + ")";
		return this.replacements.isEmpty() ? "leave it out" + remarks
				: "write " + String.join(" and ", this.replacements) + remarks;
	}

}
