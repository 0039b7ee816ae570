package dev.grpcloop.sample.monitoring;

import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * The dashboard for Grafana.
 *
 * @param json the file
 */
record Dashboard(JsonNode json) {

	private static final Path FILE = Path.of("../ops/grafana/grpc-server.json");

	private static final Pattern LABEL_VALUES = Pattern.compile("label_values\\((.+), ([a-z_]+)\\)");

	static Dashboard read() {
		return new Dashboard(JsonMapper.shared().readTree(FILE));
	}

	List<JsonNode> panels() {
		return this.json.get("panels").valueStream().toList();
	}

	/** The queries of the panels. */
	List<Query> queries() {
		return panels().stream()
			.filter((panel) -> panel.has("targets"))
			.flatMap((panel) -> panel.get("targets")
				.valueStream()
				.map((target) -> new Query(panel.get("title").asString(), target.get("expr").asString(),
						target.get("legendFormat").asString())))
			.toList();
	}

	List<JsonNode> variables() {
		return this.json.get("templating").get("list").valueStream().toList();
	}

	/** What the choices of the variables are taken from, as queries. */
	List<Query> choices() {
		return variables().stream().flatMap(Dashboard::choices).toList();
	}

	private static Stream<Query> choices(JsonNode variable) {
		String definition = Optional.ofNullable(variable.get("definition")).map(JsonNode::asString).orElse("");
		Matcher matcher = LABEL_VALUES.matcher(definition);
		return !matcher.matches() ? Stream.empty()
				: Stream.of(new Query("choices of " + variable.get("name").asString(),
						"group by (" + matcher.group(2) + ") (" + matcher.group(1) + ")",
						"{{" + matcher.group(2) + "}}"));
	}

	/**
	 * A query.
	 *
	 * @param title where it stands
	 * @param expression what is asked
	 * @param legend how the series are called, with labels in double braces
	 */
	record Query(String title, String expression, String legend) {

		private static final Pattern REFERENCE = Pattern.compile("\\{\\{ *([a-z_]+) *\\}\\}");

		/** The labels that the legend names. */
		List<String> legendLabels() {
			return REFERENCE.matcher(this.legend).results().map((match) -> match.group(1)).toList();
		}

		/** The query for everything, as Grafana sends it. */
		String forEverything() {
			return this.expression.replace("$__rate_interval", "10s").replaceAll("\\$[a-z]+", ".*");
		}

		/**
		 * Whether no data means that nothing happened, or that something better is there.
		 */
		boolean mayBeEmpty() {
			return this.expression.endsWith(" > 0") || this.expression.contains(" unless ");
		}

	}

}
