package dev.grpcloop.boot;

import java.io.IOException;
import java.util.Arrays;
import java.util.Locale;

import dev.grpcloop.boot.testsupport.GreeterService;
import dev.grpcloop.boot.testsupport.Measured;
import dev.grpcloop.boot.testsupport.RawPeer;
import dev.grpcloop.boot.testsupport.RawPeer.Frame;
import dev.grpcloop.boot.testsupport.TestApplications;
import dev.grpcloop.engine.telemetry.Guard;
import io.micrometer.core.instrument.MeterRegistry;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * What {@code grpc.server.guard.*} changes for a client that does too much.
 */
@Timeout(60)
class GuardPropertyTests {

	private static final int MORE_THAN_ALLOWED = 10;

	private static final int INITIAL_WINDOW_SIZE = 4;

	@ParameterizedTest
	@EnumSource(Abuse.class)
	void aLimitThatIsLowerEndsTheConnectionSooner(Abuse abuse) throws IOException {
		try (ConfigurableApplicationContext context = TestApplications.run(MeasuredGreeter.class,
				"grpc.server.executor.mode=event-loop", "grpc.server.max-concurrent-calls-per-connection=1",
				abuse.property + "=2"); RawPeer peer = peer(context, abuse)) {
			abuse.script.play(peer);
			peer.awaitEnd();
			assertThat(peer.goAway()).startsWith(abuse.guard.name().toLowerCase(Locale.ROOT));
			assertThat(trips(context, abuse.guard)).isEqualTo(1);
		}
	}

	@ParameterizedTest
	@EnumSource(Abuse.class)
	void theDefaultPutsUpWithAsMuch(Abuse abuse) throws IOException {
		try (ConfigurableApplicationContext context = TestApplications.run(MeasuredGreeter.class);
				RawPeer peer = peer(context, abuse)) {
			abuse.script.play(peer);
			assertAlive(peer);
			assertThat(trips(context, abuse.guard)).isZero();
		}
	}

	@Test
	void aShortPeriodForgetsSooner() throws IOException {
		try (ConfigurableApplicationContext context = TestApplications.run(MeasuredGreeter.class,
				"grpc.server.guard.settings=2", "grpc.server.guard.period=1ns");
				RawPeer peer = new RawPeer(port(context)).begin()) {
			peer.await(RawPeer.SETTINGS, RawPeer.ACK);
			for (int i = 0; i < MORE_THAN_ALLOWED; i++) {
				peer.send(RawPeer.SETTINGS, 0, 0).await(RawPeer.SETTINGS, RawPeer.ACK);
			}
			assertAlive(peer);
		}
	}

	private static RawPeer peer(ConfigurableApplicationContext context, Abuse abuse) throws IOException {
		RawPeer peer = new RawPeer(port(context));
		return (abuse == Abuse.TINY_WINDOWS) ? peer.begin(INITIAL_WINDOW_SIZE, 1) : peer.begin();
	}

	private static int port(ConfigurableApplicationContext context) {
		return context.getEnvironment().getRequiredProperty("local.grpc.server.port", Integer.class);
	}

	private static double trips(ConfigurableApplicationContext context, Guard guard) {
		return context.getBean(MeterRegistry.class)
			.get("grpc.engine.guard.trips")
			.tag("guard", guard.name().toLowerCase(Locale.ROOT).replace('_', '-'))
			.functionCounter()
			.count();
	}

	private static void assertAlive(RawPeer peer) throws IOException {
		peer.send(RawPeer.PING, 0, 0, new byte[8]).await(RawPeer.PING, RawPeer.ACK);
		assertThat(peer.goAway()).isNull();
	}

	private static void resets(RawPeer peer) throws IOException {
		for (int i = 0; i < MORE_THAN_ALLOWED; i++) {
			peer.call(2 * i + 1, "Chat").send(RawPeer.RST_STREAM, 0, 2 * i + 1, new byte[] { 0, 0, 0, 8 });
		}
	}

	private static void windowUpdatesOfNothing(RawPeer peer) throws IOException {
		for (int i = 0; i < MORE_THAN_ALLOWED; i++) {
			peer.call(2 * i + 1, "Chat").send(RawPeer.WINDOW_UPDATE, 0, 2 * i + 1, new byte[4]);
		}
	}

	private static void settings(RawPeer peer) throws IOException {
		for (int i = 0; i < MORE_THAN_ALLOWED; i++) {
			peer.send(RawPeer.SETTINGS, 0, 0);
		}
	}

	private static void priorities(RawPeer peer) throws IOException {
		for (int i = 0; i < MORE_THAN_ALLOWED; i++) {
			peer.send(RawPeer.PRIORITY, 0, 1, new byte[5]);
		}
	}

	private static void emptyData(RawPeer peer) throws IOException {
		peer.call(1, "Chat");
		for (int i = 0; i < MORE_THAN_ALLOWED; i++) {
			peer.send(RawPeer.DATA, 0, 1);
		}
	}

	private static void bytesOneByOne(RawPeer peer) throws IOException {
		// a message of one field of 5 bytes
		peer.call(1, "Chat").send(RawPeer.DATA, 0, 1, new byte[] { 0, 0, 0, 0, 7, 10, 5, 97, 97, 97, 97, 97 });
		for (int i = 0; i < MORE_THAN_ALLOWED; i++) {
			Frame frame = peer.read();
			while (frame != null && frame.type() != RawPeer.DATA) {
				frame = peer.read();
			}
			peer.send(RawPeer.WINDOW_UPDATE, 0, 1, new byte[] { 0, 0, 0, 1 });
		}
	}

	private static void smallContinuations(RawPeer peer) throws IOException {
		byte[] block = RawPeer.headers("Chat");
		peer.send(RawPeer.HEADERS, 0, 1, block[0]);
		for (int i = 1; i < MORE_THAN_ALLOWED; i++) {
			peer.send(RawPeer.CONTINUATION, 0, 1, block[i]);
		}
		byte[] rest = Arrays.copyOfRange(block, MORE_THAN_ALLOWED, block.length);
		peer.send(RawPeer.CONTINUATION, RawPeer.END_HEADERS, 1, rest);
	}

	private interface Script {

		void play(RawPeer peer) throws IOException;

	}

	/** Each does ten times what is counted. */
	enum Abuse {

		RESETS("resets", Guard.RAPID_RESET, GuardPropertyTests::resets),

		FAULTS("protocol-faults", Guard.PROTOCOL_FAULTS, GuardPropertyTests::windowUpdatesOfNothing),

		SETTINGS("settings", Guard.SETTINGS_FLOOD, GuardPropertyTests::settings),

		PRIORITIES("control-frames", Guard.CONTROL_FLOOD, GuardPropertyTests::priorities),

		EMPTY_DATA("empty-frames", Guard.EMPTY_FRAMES, GuardPropertyTests::emptyData),

		TINY_WINDOWS("tiny-frames", Guard.TINY_WINDOWS, GuardPropertyTests::bytesOneByOne),

		CONTINUATIONS("small-continuations", Guard.CONTINUATION_FLOOD, GuardPropertyTests::smallContinuations);

		private final String property;

		private final Guard guard;

		private final Script script;

		Abuse(String property, Guard guard, Script script) {
			this.property = "grpc.server.guard." + property;
			this.guard = guard;
			this.script = script;
		}

	}

	@Configuration(proxyBeanMethods = false)
	@Import({ Measured.class, GreeterService.class })
	static class MeasuredGreeter {

	}

}
