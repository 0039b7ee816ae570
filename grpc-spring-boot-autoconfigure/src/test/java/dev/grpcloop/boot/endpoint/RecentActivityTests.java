package dev.grpcloop.boot.endpoint;

import java.util.concurrent.TimeUnit;

import dev.grpcloop.boot.endpoint.RecentActivity.Difference;
import dev.grpcloop.boot.statistics.LoopStatistics;
import dev.grpcloop.boot.statistics.MethodStatistics;
import dev.grpcloop.boot.statistics.ServerStatistics;
import dev.grpcloop.boot.test.v1.GreeterGrpc;
import dev.grpcloop.engine.telemetry.LoopTelemetry;
import io.grpc.MethodDescriptor;
import io.grpc.Status;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * What has happened over about the last minute, by a clock of the test's.
 */
class RecentActivityTests {

	private final ServerStatistics statistics = new ServerStatistics();

	private final LoopTelemetry loop = this.statistics.loop(0);

	private long nanos = TimeUnit.DAYS.toNanos(1);

	private final RecentActivity activity = new RecentActivity(this.statistics, () -> this.nanos);

	@Test
	void nothingHappensInNoTime() {
		calls(GreeterGrpc.getHelloMethod(), 3);
		assertThat(this.activity.difference().rate()).isZero();
	}

	@Test
	void theRateIsThatOfTheTimeSinceTheStart() {
		calls(GreeterGrpc.getHelloMethod(), 30);
		calls(GreeterGrpc.getChatMethod(), 10);
		pass(20);
		Difference recent = this.activity.difference();
		assertThat(recent.rate()).isEqualTo(2);
		assertThat(recent.rate(method(GreeterGrpc.getHelloMethod()))).isEqualTo(1.5);
		assertThat(recent.rate(method(GreeterGrpc.getChatMethod()))).isEqualTo(0.5);
	}

	@Test
	void theRateForgetsWhatIsLongerAgoThanAMinute() {
		calls(GreeterGrpc.getHelloMethod(), 1000);
		pass(5);
		for (int i = 0; i < 12; i++) {
			calls(GreeterGrpc.getHelloMethod(), 10);
			pass(5);
		}
		assertThat(this.activity.difference().rate()).isEqualTo(2);
		pass(60);
		assertThat(this.activity.difference().rate()).isZero();
	}

	@Test
	void aClockThatStoodStillCountsWithTheTimeThatHasPassed() {
		pass(5);
		calls(GreeterGrpc.getHelloMethod(), 7200);
		pass(3600);
		assertThat(this.activity.difference().rate()).isEqualTo(2);
	}

	@Test
	void theShareOfALoopIsThatOfTheLastMinute() {
		turn(100, 0);
		LoopStatistics loop = this.statistics.loops().iterator().next();
		assertThat(this.activity.difference().busyShare(loop)).isEqualTo(1);
		pass(5);
		turn(10, 30);
		pass(60);
		assertThat(this.activity.difference().busyShare(loop)).isEqualTo(0.25);
		pass(60);
		assertThat(this.activity.difference().busyShare(loop)).isZero();
	}

	private void calls(MethodDescriptor<?, ?> method, int number) {
		for (int i = 0; i < number; i++) {
			this.loop.method(method).callClosed(Status.OK, 0, 1, true);
		}
	}

	private void turn(long busySeconds, long waitedSeconds) {
		this.loop.turned(TimeUnit.SECONDS.toNanos(busySeconds), TimeUnit.SECONDS.toNanos(waitedSeconds));
	}

	private MethodStatistics method(MethodDescriptor<?, ?> method) {
		return this.statistics.methods()
			.stream()
			.filter((statistics) -> method.equals(statistics.method()))
			.findFirst()
			.orElseThrow();
	}

	/** Time passes in one go, and a tick comes at its end. */
	private void pass(long seconds) {
		this.nanos += TimeUnit.SECONDS.toNanos(seconds);
		this.activity.sample();
	}

}
