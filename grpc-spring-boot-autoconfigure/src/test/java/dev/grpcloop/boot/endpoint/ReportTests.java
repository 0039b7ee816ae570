package dev.grpcloop.boot.endpoint;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

import dev.grpcloop.boot.statistics.ServerStatistics;
import dev.grpcloop.boot.test.v1.GreeterGrpc;
import dev.grpcloop.engine.telemetry.CloseReason;
import dev.grpcloop.engine.telemetry.Guard;
import dev.grpcloop.engine.telemetry.LoopTelemetry;
import dev.grpcloop.engine.telemetry.MethodTelemetry;
import dev.grpcloop.engine.telemetry.Refusal;
import io.grpc.Status;
import org.junit.jupiter.api.Test;

import org.springframework.boot.actuate.endpoint.Show;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * What the endpoint makes of the numbers.
 */
class ReportTests {

	private final ServerStatistics statistics = new ServerStatistics();

	private final LoopTelemetry loop = this.statistics.loop(0);

	private final MethodTelemetry hello = this.loop.method(GreeterGrpc.getHelloMethod());

	private long nanos;

	private final GrpcEndpoint endpoint = new GrpcEndpoint(() -> null, this.statistics,
			new RecentActivity(this.statistics, () -> this.nanos), Show.ALWAYS);

	@Test
	void everyNumberIsWhereItBelongs() {
		this.hello.callStarted(0);
		this.hello.callStarted(0);
		this.hello.callClosed(Status.NOT_FOUND, 0, 2048, true);
		this.hello.messageReceived(5);
		this.hello.messageSent(7);
		this.loop.method(null).callStarted(0);
		this.nanos = TimeUnit.SECONDS.toNanos(4);
		GrpcReport report = this.endpoint.grpc();
		assertThat(report.calls()).isEqualTo(new CallsReport(3, 1, 2, 0.25));
		assertThat(report.services()).singleElement()
			.isEqualTo(new ServiceReport("test.v1.Greeter", List
				.of(new MethodReport("Hello", "UNARY", null, 2L, 1L, 1L, 0.25, Map.of("NOT_FOUND", 1L), 1L, 1L, 5L, 7L,
						new LatencyReport(2.048e-6, 2.304e-6, 2.304e-6, 2.304e-6, List.of(List.of(2.304e-6, 1L)))))));
		assertThat(report.unknownMethods())
			.isEqualTo(new MethodReport(null, null, null, 1L, 0L, 1L, 0.0, Map.of(), 0L, 0L, 0L, 0L, null));
	}

	@Test
	void connectionsStreamsAndBytesAreAddedUp() {
		LoopTelemetry other = this.statistics.loop(1);
		this.loop.connectionOpened();
		this.loop.handshakeCompleted(1);
		other.connectionOpened();
		other.connectionClosed(CloseReason.PROTOCOL_ERROR);
		this.loop.streamOpened();
		other.requestRefused(Refusal.NOT_GRPC);
		other.flowControlStalled();
		other.flowControlResumed(TimeUnit.SECONDS.toNanos(3));
		this.loop.flowControlStalled();
		this.loop.bytesReceived(10);
		other.bytesSent(20);
		other.flushed(2, 20);
		other.guardTripped(Guard.RAPID_RESET);
		other.turned(TimeUnit.SECONDS.toNanos(1), TimeUnit.SECONDS.toNanos(3));
		GrpcReport report = this.endpoint.grpc();
		assertThat(report.connections()).satisfies((connections) -> {
			assertThat(connections.open()).isEqualTo(1);
			assertThat(connections.opened()).isEqualTo(2);
			assertThat(connections.handshakes()).isEqualTo(1);
			assertThat(connections.closed()).hasSameSizeAs(CloseReason.values())
				.containsEntry("protocol-error", 1L)
				.containsEntry("peer", 0L);
		});
		assertThat(report.streams()).satisfies((streams) -> {
			assertThat(streams.open()).isEqualTo(1);
			assertThat(streams.opened()).isEqualTo(1);
			assertThat(streams.stalled()).isEqualTo(1);
			assertThat(streams.stallTime()).isEqualTo(3);
			assertThat(streams.refused()).hasSameSizeAs(Refusal.values()).containsEntry("not-grpc", 1L);
		});
		assertThat(report.bytes()).isEqualTo(new BytesReport(10L, 20L, 1L, 0));
		assertThat(report.guards()).hasSameSizeAs(Guard.values())
			.containsEntry("rapid-reset", 1L)
			.containsEntry("memory", 0L);
		assertThat(report.loops()).containsExactly(new LoopReport(0, 1, 0, 0, null, null),
				new LoopReport(1, 0, 1, 3, 0.25, null));
	}

	@Test
	void aPercentileIsTheEndOfItsBucket() {
		for (int i = 0; i < 100; i++) {
			this.hello.callClosed(Status.OK, 0, (i < 89) ? 100 : (i < 98) ? 5000 : 100_000, true);
		}
		LatencyReport latency = this.endpoint.grpc().services().get(0).methods().get(0).latency();
		assertThat(latency).isNotNull();
		assertThat(latency.buckets()).containsExactly(List.of(1.024e-6, 89L), List.of(5.12e-6, 9L),
				List.of(1.06496e-4, 2L));
		assertThat(List.of(latency.p50(), latency.p90(), latency.p99())).containsExactly(1.024e-6, 5.12e-6, 1.06496e-4);
		assertThat(latency.total()).isEqualTo((89 * 100 + 9 * 5000 + 2 * 100_000) / 1e9);
	}

	@Test
	void withoutAServerNothingIsSaidOfIt() {
		GrpcReport report = this.endpoint.grpc();
		assertThat(report.server())
			.isEqualTo(new ServerReport("stopped", List.of(), null, null, null, null, null, null));
		assertThat(report.limits()).isEmpty();
		assertThat(report.clients()).isEmpty();
	}

	@Test
	void theFiftyClientsWithTheMostConnectionsAreShown() {
		List<String> addresses = new ArrayList<>(List.of("b", "a", "b", "c", "c", "c", "a"));
		for (int i = 0; i < 60; i++) {
			addresses.add("z" + i);
		}
		assertThat(ClientReport.of(addresses)).hasSize(50)
			.startsWith(new ClientReport("c", 3), new ClientReport("a", 2), new ClientReport("b", 2));
	}

}
