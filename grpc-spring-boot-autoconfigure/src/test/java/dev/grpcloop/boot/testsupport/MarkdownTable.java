package dev.grpcloop.boot.testsupport;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * The tables of the repository's documents.
 */
public final class MarkdownTable {

	private MarkdownTable() {
	}

	public static String read(String document) throws IOException {
		return Files.readString(Path.of("..", document));
	}

	/**
	 * Reads the rows of all tables whose first column has a heading.
	 * @param document its path from the root of the repository
	 * @param heading the heading
	 * @return the cells of each row
	 */
	public static List<List<String>> rows(String document, String heading) throws IOException {
		List<List<String>> rows = new ArrayList<>();
		boolean inside = false;
		for (String line : read(document).split("\n")) {
			if (!line.startsWith("|")) {
				inside = false;
			}
			else if (inside && !line.startsWith("|---")) {
				rows.add(cells(line));
			}
			else if (cells(line).get(0).equals(heading)) {
				inside = true;
			}
		}
		return rows;
	}

	private static List<String> cells(String line) {
		return Arrays.stream(line.substring(1).split("\\|")).map(String::trim).toList();
	}

}
