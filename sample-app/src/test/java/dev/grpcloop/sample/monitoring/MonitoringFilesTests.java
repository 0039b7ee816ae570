package dev.grpcloop.sample.monitoring;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Stream;

import dev.grpcloop.sample.monitoring.PromQl.Condition;
import dev.grpcloop.sample.monitoring.PromQl.Selector;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The files under {@code ops} name what the application exports, and nothing else.
 */
class MonitoringFilesTests extends MonitoredApplication {

	/** What Prometheus itself adds. */
	private static final Set<String> TARGET_LABELS = Set.of("job", "instance");

	/** Its values are known to gRPC, not all of them come up. */
	private static final String STATUS = "grpc_status_code";

	private static final Pattern ALERT_LABEL = Pattern.compile("\\$labels\\.([a-z_]+)");

	private Exposition exported;

	@BeforeEach
	void callInEveryWay() {
		hello();
		wrongHello();
		this.exported = blockUntilCounted();
		this.exported.metrics().put("up", Map.of());
	}

	@Test
	void dashboardAsksForWhatIsExported() {
		Dashboard dashboard = Dashboard.read();
		assertThat(dashboard.queries()).hasSizeGreaterThan(40)
			.allSatisfy((query) -> assertExported(query.expression(), query.legendLabels()));
		assertThat(dashboard.choices()).hasSize(4)
			.allSatisfy((query) -> assertExported(query.expression(), query.legendLabels()));
	}

	@Test
	void dashboardExplainsItself() {
		Dashboard dashboard = Dashboard.read();
		assertThat(dashboard.panels()).extracting((panel) -> panel.get("id").asInt()).doesNotHaveDuplicates();
		assertThat(dashboard.panels()).extracting((panel) -> panel.get("title").asString())
			.doesNotHaveDuplicates()
			.contains("Calls", "Connections", "Event loops", "Executor", "Flow control and bytes",
					"Guards, refusals and faults", "Memory");
		assertThat(dashboard.panels()).filteredOn((panel) -> !panel.get("type").asString().equals("row"))
			.hasSizeGreaterThan(25)
			.allSatisfy((panel) -> assertThat(panel.get("description").asString()).hasSizeGreaterThan(60))
			.allSatisfy(
					(panel) -> assertThat(panel.get("datasource").get("uid").asString()).isEqualTo("${datasource}"));
	}

	@Test
	void dashboardUsesTheVariablesThatItHas() throws IOException {
		List<String> names = Dashboard.read().variables().stream().map((it) -> it.get("name").asString()).toList();
		assertThat(names).containsExactly("datasource", "job", "instance", "service", "method");
		String text = Files.readString(Path.of("../ops/grafana/grpc-server.json"));
		assertThat(Pattern.compile("\\$\\{?([a-z]\\w*)").matcher(text).results().map((match) -> match.group(1)))
			.isNotEmpty()
			.isSubsetOf(names);
	}

	@Test
	void alertsAskForWhatIsExported() throws IOException {
		assertThat(AlertRule.all()).hasSizeGreaterThan(15).allSatisfy((rule) -> {
			List<String> labels = ALERT_LABEL.matcher(rule.json().get("annotations").toString())
				.results()
				.map((match) -> match.group(1))
				.toList();
			assertExported(rule.expression(), labels);
		});
	}

	@Test
	void alertsSayWhatToDo() throws IOException {
		assertThat(AlertRule.all()).extracting(AlertRule::name).doesNotHaveDuplicates();
		assertThat(AlertRule.all()).allSatisfy((rule) -> {
			JsonNode annotations = rule.json().get("annotations");
			for (String annotation : List.of("summary", "description", "runbook")) {
				assertThat(annotations.path(annotation).asString("")).as(annotation).hasSizeGreaterThan(10);
			}
			assertThat(rule.json().get("labels").get("severity").asString()).isIn("warning", "critical");
			assertThat(rule.json().get("for").asString()).matches("[0-9]+m");
		});
	}

	@Test
	void exampleScrapesTheSampleAsItIs() throws IOException {
		JsonNode scrape = AlertRule.read(Path.of("../ops/prometheus/prometheus.yml")).get("scrape_configs").get(0);
		JsonNode application = AlertRule.read(Path.of("src/main/resources/application.yml"));
		assertThat(scrape.get("static_configs").get(0).get("targets").get(0).asString())
			.isEqualTo("localhost:" + application.get("server").get("port").asInt());
		assertThat(scrape.get("metrics_path").asString()).isEqualTo("/actuator/prometheus");
	}

	private void assertExported(String expression, List<String> references) {
		PromQl query = PromQl.of(expression.replace("$__rate_interval", "10s"));
		assertThat(query.selectors()).as(expression).isNotEmpty();
		Set<String> labels = new HashSet<>(TARGET_LABELS);
		for (Selector selector : query.selectors()) {
			Map<String, Set<String>> exported = this.exported.metrics().get(selector.metric());
			assertThat(exported).as("the metric %s in %s", selector.metric(), expression).isNotNull();
			labels.addAll(exported.keySet());
			for (Condition condition : selector.conditions()) {
				assertThat(condition.label()).as("a label of %s", selector.metric())
					.isIn(Stream.concat(TARGET_LABELS.stream(), exported.keySet().stream()).toList());
				if (Set.of("=", "!=").contains(condition.operator()) && !condition.label().equals(STATUS)) {
					assertThat(exported.get(condition.label())).as("the %s of %s", condition.label(), selector.metric())
						.contains(condition.value());
				}
			}
		}
		assertThat(labels).as(expression).containsAll(query.groupings()).containsAll(references);
	}

}
