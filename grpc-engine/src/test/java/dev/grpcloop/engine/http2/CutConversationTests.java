package dev.grpcloop.engine.http2;

import java.util.Arrays;
import java.util.function.Consumer;

import dev.grpcloop.engine.http2.ServedCall.Behaviour;
import io.grpc.Metadata;
import io.grpc.Status;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * A conversation that breaks off after each byte of either side (case B44): every stream
 * ends, every buffer is released, every number is in balance, and the log is silent; the
 * end of {@link ScriptedPeer} checks all that.
 */
class CutConversationTests {

	@ParameterizedTest
	@ValueSource(booleans = { false, true })
	void theClientMayBreakOffAfterAnyByte(boolean offLoop) {
		int length = scriptLength();
		for (int cut = 0; cut <= length; cut++) {
			int at = cut;
			interrupted("the client broke off after byte " + cut, offLoop, (peer) -> peer.playOnly(at));
		}
	}

	@ParameterizedTest
	@ValueSource(booleans = { false, true })
	void theClientMayBreakOffWhileTheServerShutsDown(boolean offLoop) {
		int length = scriptLength();
		for (int cut = 0; cut <= length; cut++) {
			int at = cut;
			interrupted("the server shut down after byte " + cut, offLoop, (peer) -> {
				peer.playOnly(at);
				peer.connection().shutdown();
				peer.settle();
			});
		}
	}

	@ParameterizedTest
	@ValueSource(booleans = { false, true })
	void theClientMayStopReadingAfterAnyByteAndBreakOff(boolean offLoop) {
		int[] sent = { 0 };
		interrupted("nothing was cut", offLoop, (peer) -> sent[0] = bytesSent(peer.play()));
		assertThat(sent[0]).isPositive();
		for (int taken = 0; taken <= sent[0]; taken++) {
			int most = taken;
			interrupted("the client read " + taken + " bytes", offLoop, (peer) -> {
				peer.channel.socketTakes(most);
				peer.play();
			});
		}
	}

	private static int bytesSent(ScriptedPeer peer) {
		return (int) peer.telemetry.bytesSent;
	}

	private static void interrupted(String how, boolean offLoop, Consumer<ScriptedPeer> play) {
		ScriptedService service = new ScriptedService();
		service.behaves(new Answers());
		ScriptedPeer.Server server = ScriptedPeer.of(service);
		try (ScriptedPeer peer = (offLoop ? server.runsOffLoop() : server).accepted()) {
			conversation(peer);
			play.accept(peer);
		}
		catch (AssertionError | RuntimeException ex) {
			throw new AssertionError(how + ": " + ex.getMessage(), ex);
		}
		service.verify();
	}

	private static int scriptLength() {
		try (ScriptedPeer peer = ScriptedPeer.of(new ScriptedService()).accepted()) {
			conversation(peer);
			return peer.scriptLength();
		}
	}

	/**
	 * Calls of all kinds, settings and pings, and a client that leaves.
	 */
	private static void conversation(ScriptedPeer peer) {
		byte[] abc = ScriptedPeer.ABC;
		peer.preface()
			.settings(0x4, 40, 0x1, 100)
			.settingsAck()
			.headers(1, 0, RawHpack.insertingBlock(ScriptedPeer.request("/t.Echo/Unary", "x-a", "1", "a-bin", "q6s")))
			.lastData(1, abc)
			.headers(3, ScriptedPeer.request("/t.Echo/ClientStream"))
			.data(3, RawHpack.concat(abc, Arrays.copyOf(abc, 4)))
			.ping(0x1122334455667788L)
			.paddedData(3, ScriptedPeer.END_STREAM, Arrays.copyOfRange(abc, 4, abc.length), 7)
			.headers(5, ScriptedPeer.request("/t.Echo/ServerStream"))
			.lastData(5, abc)
			.settings(0x1, 0)
			.settings(0x1, 4096, 0x4, 1000)
			.fragmentedHeaders(7, 0, RawHpack.block(ScriptedPeer.request("/t.Raw/Bidi", "x-b", "y".repeat(50))), 1, 20)
			.data(7, abc)
			.windowUpdate(0, 1000)
			.windowUpdate(7, 100)
			.lastData(7, abc)
			.headers(9, ScriptedPeer.request("/t.Raw/Bidi", "grpc-timeout", "1H"))
			.data(9, Arrays.copyOf(abc, 8))
			.reset(9, 8)
			.headers(11, ScriptedPeer.request("/t.Raw/Bidi"))
			.data(11, abc)
			.frame(0x7, 0, 0, new byte[8]);
	}

	/**
	 * Answers each message, as far as the method's kind has answers.
	 */
	private static final class Answers implements Behaviour {

		@Override
		public void started(ServedCall call) {
			call.request(1);
		}

		@Override
		public void message(ServedCall call, byte[] message) {
			if (call.toString().contains("Bidi") || call.received.size() == 1) {
				call.send(message);
			}
			call.request(1);
		}

		@Override
		public void halfClosed(ServedCall call) {
			Metadata trailers = new Metadata();
			trailers.merge(call.metadata);
			call.close(Status.OK, trailers);
		}

	}

}
