package dev.grpcloop.sample.monitoring;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

import org.yaml.snakeyaml.Yaml;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * A rule of {@code ops/prometheus/alerts.yml}.
 *
 * @param json the rule
 */
record AlertRule(JsonNode json) {

	static final Path FILE = Path.of("../ops/prometheus/alerts.yml");

	static List<AlertRule> all() throws IOException {
		return read(FILE).get("groups")
			.valueStream()
			.flatMap((group) -> group.get("rules").valueStream())
			.map(AlertRule::new)
			.toList();
	}

	/** Reads YAML. */
	static JsonNode read(Path file) throws IOException {
		Object content = new Yaml().load(Files.readString(file));
		return JsonMapper.shared().valueToTree(content);
	}

	String name() {
		return this.json.get("alert").asString();
	}

	String expression() {
		return this.json.get("expr").asString();
	}

}
