package dev.grpcloop.engine.call;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;

import com.google.protobuf.BytesValue;
import dev.grpcloop.engine.telemetry.EngineTelemetry;
import dev.grpcloop.engine.telemetry.LoopTelemetry;
import dev.grpcloop.engine.testproto.EchoGrpc;
import io.grpc.MethodDescriptor;
import io.grpc.ServerMethodDefinition;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class LoopWatchdogTests {

	private static final MethodDescriptor<BytesValue, BytesValue> METHOD = EchoGrpc.getUnaryMethod();

	private final MethodRoute<?, ?> route = new MethodRoute<>(
			ServerMethodDefinition.create(METHOD, (call, headers) -> null), 0, true);

	private final CallLoop loop = new CallLoop(LoopTelemetry.NOOP,
			new MethodRegistry(List.of(), List.of(), null, (method) -> true), new StoppedClock());

	private final List<String> blocked = new ArrayList<>();

	private final LoopWatchdog watchdog = new LoopWatchdog(List.of(this.loop), ms(100), new EngineTelemetry() {

		@Override
		public void loopBlocked(MethodDescriptor<?, ?> method, long nanos) {
			LoopWatchdogTests.this.blocked.add(method.getFullMethodName() + " " + TimeUnit.NANOSECONDS.toMillis(nanos));
		}

	});

	private final List<LogRecord> log = new ArrayList<>();

	private final Handler handler = new Handler() {

		@Override
		public void publish(LogRecord logRecord) {
			LoopWatchdogTests.this.log.add(logRecord);
		}

		@Override
		public void flush() {
		}

		@Override
		public void close() {
		}

	};

	private final Logger logger = Logger.getLogger("dev.grpcloop.engine.call");

	@BeforeEach
	void listen() {
		this.logger.addHandler(this.handler);
		this.logger.setUseParentHandlers(false);
	}

	@AfterEach
	void listenNoMore() {
		this.logger.removeHandler(this.handler);
		this.logger.setUseParentHandlers(true);
	}

	@Test
	void aCallbackThatHoldsTheLoopIsReportedOnceWithMethodStackAndRemedy() {
		this.loop.enter(this.route);
		look(0, 50, 100, 150, 200, 500);
		assertThat(this.blocked).containsExactly("t.Echo/Unary 100");
		assertThat(this.log).singleElement()
			.satisfies((entry) -> assertThat(entry.getMessage()).contains("t.Echo/Unary", "100 ms", "@Blocking",
					"LoopWatchdogTests"));
	}

	@Test
	void callbacksThatReturnInTimeAreNotReported() {
		for (int i = 0; i < 20; i++) {
			this.loop.enter(this.route);
			look(i * 50);
			this.loop.exit(null);
		}
		assertThat(this.blocked).isEmpty();
	}

	@Test
	void aCallbackInTheMiddleOfAnotherIsReportedByItsOwnName() {
		MethodRoute<?, ?> inner = new MethodRoute<>(
				ServerMethodDefinition.create(EchoGrpc.getBidiMethod(), (call, headers) -> null), 1, true);
		this.loop.enter(this.route);
		look(0);
		MethodRoute<?, ?> outer = this.loop.enter(inner);
		look(50, 150);
		assertThat(this.blocked).containsExactly("t.Echo/Bidi 100");
		this.loop.exit(outer);
		look(200, 300);
		assertThat(this.blocked).containsExactly("t.Echo/Bidi 100", "t.Echo/Unary 100");
	}

	@Test
	void anIdleLoopIsNotReported() {
		this.loop.enter(this.route);
		this.loop.exit(null);
		look(0, 1_000, 10_000);
		assertThat(this.blocked).isEmpty();
	}

	@Test
	void everyBlockIsCountedAndOneAMinuteIsLogged() {
		for (int i = 0; i < 3; i++) {
			this.loop.enter(this.route);
			look(i * 1_000, i * 1_000 + 100);
			this.loop.exit(null);
		}
		assertThat(this.blocked).hasSize(3);
		assertThat(this.log).hasSize(1);
		this.loop.enter(this.route);
		look(61_000, 61_100);
		assertThat(this.log).hasSize(2);
	}

	private void look(long... millis) {
		for (long at : millis) {
			this.watchdog.look(ms(at));
		}
	}

	private static long ms(long millis) {
		return TimeUnit.MILLISECONDS.toNanos(millis);
	}

	private static final class StoppedClock implements DeadlineWheel.Clock {

		@Override
		public long nanoTime() {
			return 0;
		}

		@Override
		public void schedule(Runnable task, long delayNanos) {
		}

	}

}
