package dev.grpcloop.sample.monitoring;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What a query asks for. Not a parser: Prometheus itself tells whether a query is right,
 * this only finds the names in it.
 *
 * @param selectors the metrics, with what is asked of their labels
 * @param groupings the labels that series are grouped or joined by
 */
record PromQl(List<Selector> selectors, Set<String> groupings) {

	private static final Pattern TOKEN = Pattern.compile("\\s+|\"(?:[^\"\\\\]|\\\\.)*\"|\\[[^\\]]*\\]"
			+ "|[a-zA-Z_:][a-zA-Z0-9_:]*|[0-9][0-9a-zA-Z.]*|=~|!~|!=|==|<=|>=|[-+*/%^<>=(){},]");

	private static final Set<String> OPERATORS = Set.of("and", "or", "unless", "bool", "offset");

	private static final Set<String> AFTER_FUNCTION = Set.of("(", "by", "without");

	private static final Set<String> BEFORE_LABELS = Set.of("by", "without", "on", "ignoring", "group_left",
			"group_right");

	/**
	 * Finds the names in a query.
	 * @param query the query
	 * @return what it asks for
	 */
	static PromQl of(String query) {
		List<String> tokens = tokens(query);
		PromQl found = new PromQl(new ArrayList<>(), new HashSet<>());
		int at = 0;
		while (at < tokens.size()) {
			String token = tokens.get(at);
			String next = (at + 1 < tokens.size()) ? tokens.get(at + 1) : "";
			if (BEFORE_LABELS.contains(token)) {
				at = next.equals("(") ? found.addGroupings(tokens, at + 2) : at + 1;
			}
			else if (isName(token) && !OPERATORS.contains(token) && !AFTER_FUNCTION.contains(next)) {
				at = found.addSelector(tokens, at);
			}
			else {
				at++;
			}
		}
		return found;
	}

	private static List<String> tokens(String query) {
		List<String> tokens = new ArrayList<>();
		Matcher matcher = TOKEN.matcher(query);
		int end = 0;
		while (end < query.length()) {
			if (!matcher.find(end) || matcher.start() != end) {
				throw new IllegalArgumentException("Not understood: " + query.substring(end));
			}
			if (!matcher.group().isBlank()) {
				tokens.add(matcher.group());
			}
			end = matcher.end();
		}
		return tokens;
	}

	private static boolean isName(String token) {
		return Character.isLetter(token.charAt(0)) || token.charAt(0) == '_';
	}

	private int addGroupings(List<String> tokens, int first) {
		int at = first;
		while (!tokens.get(at).equals(")")) {
			if (!tokens.get(at).equals(",")) {
				this.groupings.add(tokens.get(at));
			}
			at++;
		}
		return at + 1;
	}

	private int addSelector(List<String> tokens, int first) {
		List<Condition> conditions = new ArrayList<>();
		this.selectors.add(new Selector(tokens.get(first), conditions));
		int at = first + 1;
		if (at == tokens.size() || !tokens.get(at).equals("{")) {
			return at;
		}
		at++;
		while (!tokens.get(at).equals("}")) {
			if (tokens.get(at).equals(",")) {
				at++;
			}
			String quoted = tokens.get(at + 2);
			conditions.add(new Condition(tokens.get(at), tokens.get(at + 1), quoted.substring(1, quoted.length() - 1)));
			at += 3;
		}
		return at + 1;
	}

	/**
	 * A metric.
	 *
	 * @param metric its name
	 * @param conditions what is asked of its labels
	 */
	record Selector(String metric, List<Condition> conditions) {
	}

	/**
	 * What is asked of a label.
	 *
	 * @param label its name
	 * @param operator how it is compared
	 * @param value with what
	 */
	record Condition(String label, String operator, String value) {
	}

}
