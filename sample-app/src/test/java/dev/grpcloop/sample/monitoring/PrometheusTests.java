package dev.grpcloop.sample.monitoring;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;

import dev.grpcloop.sample.monitoring.Dashboard.Query;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Prometheus itself, with the files under {@code ops}.
 */
@Tag("prometheus")
class PrometheusTests extends MonitoredApplication {

	/** Alerts that a busy machine may come near to. */
	private static final Set<String> OF_SPEED = Set.of("GrpcServerSlow", "GrpcServerLoopBusy", "GrpcServerLoopLate",
			"GrpcServerExecutorWait");

	private PrometheusServer prometheus;

	@AfterEach
	void stop() throws InterruptedException {
		if (this.prometheus != null) {
			this.prometheus.stop();
		}
	}

	@Test
	void promtoolAcceptsTheFiles() throws Exception {
		Path rules = AlertRule.FILE;
		assertThat(PrometheusServer.check("rules", rules)).contains("SUCCESS: " + AlertRule.all().size());
		assertThat(PrometheusServer.check("config", PrometheusServer.CONFIGURATION)).contains("1 rule files found");
	}

	@Test
	void showsWhatTheServerDoes() throws Exception {
		hello();
		wrongHello();
		blockUntilCounted();
		this.prometheus = new PrometheusServer(this.webPort);
		this.prometheus.awaitScrape();
		countsEveryCall();
		givesDataForEveryPanel();
		keepsQuietWhileAllIsWell();
		callsWhenSomethingIsWrong();
	}

	private void countsEveryCall() {
		Exposition before = exposition();
		double hellos = before.sum("grpc_server_seconds_count", "rpc_method=\"Hello\"");
		double wrong = before.sum("grpc_server_seconds_count", "grpc_status_code=\"INVALID_ARGUMENT\"");
		double sent = before.sum("grpc_server_sent_total", "rpc_method=\"Hello\"");
		double received = before.sum("grpc_server_received_total", "rpc_service=\"helloworld.v1.Greeter\"");
		double streams = before.values().get("grpc_engine_streams_opened_total");
		for (int i = 0; i < 7; i++) {
			hello();
		}
		for (int i = 0; i < 3; i++) {
			wrongHello();
		}
		await().atMost(PrometheusServer.PATIENCE).untilAsserted(() -> {
			assertThat(value("sum(grpc_server_seconds_count{rpc_method='Hello'})")).isEqualTo(hellos + 7);
			assertThat(value("sum(grpc_server_seconds_bucket{rpc_method='Hello',le='+Inf'})")).isEqualTo(hellos + 7);
			assertThat(value("sum(grpc_server_seconds_count{grpc_status_code='INVALID_ARGUMENT'})"))
				.isEqualTo(wrong + 3);
			assertThat(value("sum(grpc_server_sent_total{rpc_method='Hello'})")).isEqualTo(sent + 7);
			assertThat(value("sum(grpc_server_received_total{rpc_service='helloworld.v1.Greeter'})"))
				.isEqualTo(received + 10);
			assertThat(value("grpc_engine_streams_opened_total")).isEqualTo(streams + 10);
			assertThat(value("sum(grpc_server_active_seconds_count)")).isZero();
		});
		assertThat(this.prometheus.scrapeError()).isEmpty();
	}

	private void givesDataForEveryPanel() {
		Dashboard dashboard = Dashboard.read();
		await().atMost(PrometheusServer.PATIENCE).untilAsserted(() -> {
			assertThat(dashboard.queries()).allSatisfy(this::givesData);
			assertThat(dashboard.choices()).allSatisfy(this::givesData);
		});
	}

	private void givesData(Query query) {
		List<JsonNode> series = this.prometheus.query(query.forEverything());
		if (!query.mayBeEmpty()) {
			assertThat(series).as(query.toString()).isNotEmpty();
		}
		assertThat(series).allSatisfy((one) -> assertThat(query.legendLabels()).as(query.toString())
			.allSatisfy((label) -> assertThat(one.get("metric").has(label)).as(label).isTrue()));
	}

	private void keepsQuietWhileAllIsWell() {
		await().atMost(PrometheusServer.PATIENCE)
			.untilAsserted(() -> assertThat(this.prometheus.rules()).hasSizeGreaterThan(15).allSatisfy((rule) -> {
				assertThat(rule.get("health").asString()).as(rule.toString()).isEqualTo("ok");
				String state = rule.get("state").asString();
				if (OF_SPEED.contains(rule.get("name").asString())) {
					assertThat(state).as(rule.toString()).isIn("inactive", "pending");
				}
				else {
					assertThat(state).as(rule.toString()).isEqualTo("inactive");
				}
			}));
	}

	private void callsWhenSomethingIsWrong() throws IOException {
		for (int i = 0; i < 20; i++) {
			speakHttp1();
		}
		await().atMost(PrometheusServer.PATIENCE).untilAsserted(() -> {
			block();
			assertThat(annotations("GrpcServerGuardTrips").get("summary").asString()).contains("foreign-protocol",
					"localhost:" + this.webPort);
			assertThat(annotations("GrpcServerLoopBlocked").get("summary").asString())
				.startsWith(BlockingService.METHOD.getFullMethodName());
		});
	}

	/** Those of an alert that is about to be told. */
	private JsonNode annotations(String alert) {
		JsonNode rule = this.prometheus.rules()
			.stream()
			.filter((candidate) -> candidate.get("name").asString().equals(alert))
			.findFirst()
			.orElseThrow();
		assertThat(rule.get("state").asString()).as(alert).isEqualTo("pending");
		return rule.get("alerts").get(0).get("annotations");
	}

	private double value(String expression) {
		return this.prometheus.value(expression);
	}

}
