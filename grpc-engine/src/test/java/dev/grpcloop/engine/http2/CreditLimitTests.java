package dev.grpcloop.engine.http2;

import java.util.Arrays;

import dev.grpcloop.engine.http2.ServedCall.Behaviour;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * A connection on which services take less than comes: they hold 16 MiB together, and no
 * more than a window beyond, and nobody else is stopped (case B33).
 */
class CreditLimitTests {

	private static final int WINDOW = 1024 * 1024;

	private static final int FRAME = 16 * 1024;

	private final ScriptedService service = new ScriptedService();

	@Test
	void creditIsReturnedOnReceiptUpToTheLimitAndOnConsumptionBeyond() {
		this.service.behaves(Behaviour.SILENT);
		CreditLedger ledger = new CreditLedger(WINDOW);
		try (ScriptedPeer peer = ScriptedPeer.of(this.service).connected()) {
			InboundFlow flow = peer.connection().inboundFlow();
			int id = -1;
			while (peer.oracle.inboundWindow() > 0 && id < 101) {
				id += 2;
				peer.headers(id, ScriptedPeer.request("/t.Raw/Bidi"));
				ledger.opened(id);
				byte[] message = ScriptedPeer.message(new byte[WINDOW - 5]);
				for (int offset = 0; offset < WINDOW && peer.oracle.inboundWindow() > 0; offset += FRAME) {
					peer.data(id, Arrays.copyOfRange(message, offset, offset + FRAME)).play();
					ledger.received(id, FRAME);
					assertThat(flow.unconsumed()).isEqualTo((int) ledger.heldByAll());
					assertThat(flow.creditWithPending()).isEqualTo((int) ledger.connectionCredit());
				}
			}
			assertThat(id).as("16 streams below the limit, and one beyond it").isEqualTo(33);
			assertThat(flow.unconsumed()).isEqualTo(CreditLedger.LIMIT + WINDOW);
			// a small call of another stream is not to be had, as there is no credit
			assertThat(peer.oracle.inboundWindow()).isZero();
			for (int index = 16; index >= 0; index--) {
				int stream = 2 * index + 1;
				ServedCall call = this.service.call(index);
				peer.loop.enter(() -> call.request(1));
				peer.settle();
				ledger.holds(stream, 0);
				assertThat(call.received).hasSize(1);
				assertThat(flow.unconsumed()).isEqualTo((int) ledger.heldByAll());
				assertThat(flow.creditWithPending()).isEqualTo((int) ledger.connectionCredit());
				assertThat(peer.oracle.inboundWindow()).as("the client is told").isGreaterThan(WINDOW - 32768);
			}
			assertThat(flow.unconsumed()).isZero();
		}
	}

	@Test
	void creditBeyondTheLimitComesBackOnceMessageByMessage() {
		this.service.behaves(Behaviour.SILENT);
		CreditLedger ledger = new CreditLedger(WINDOW);
		byte[] message = ScriptedPeer.message(new byte[FRAME - 5]);
		try (ScriptedPeer peer = ScriptedPeer.of(this.service).connected()) {
			InboundFlow flow = peer.connection().inboundFlow();
			for (int id = 1; id <= 39; id += 2) {
				peer.headers(id, ScriptedPeer.request("/t.Raw/Bidi"));
				ledger.opened(id);
			}
			// half of what the last four hold comes before the limit is passed
			int[][] frames = { { 1, 29, 64 }, { 33, 39, 5 }, { 31, 31, 64 }, { 33, 39, 5 } };
			for (int[] round : frames) {
				for (int id = round[0]; id <= round[1]; id += 2) {
					for (int i = 0; i < round[2]; i++) {
						peer.data(id, message).play();
						ledger.received(id, FRAME);
					}
				}
			}
			assertThat(flow.creditWithPending()).isLessThan(WINDOW).isEqualTo((int) ledger.connectionCredit());
			for (int taken = 1; taken <= 8; taken++) {
				for (int id = 33; id <= 39; id += 2) {
					ServedCall call = this.service.call((id - 1) / 2);
					peer.loop.enter(() -> call.request(1));
					peer.settle();
					ledger.holds(id, (10 - taken) * FRAME);
					assertThat(flow.creditWithPending()).isEqualTo((int) ledger.connectionCredit());
				}
			}
			for (int id = 39; id >= 1; id -= 2) {
				peer.reset(id, 8).play();
				ledger.gone(id);
				assertThat(flow.creditWithPending()).isEqualTo((int) ledger.connectionCredit());
			}
			assertThat(flow.creditWithPending()).isEqualTo(WINDOW);
		}
	}

	@ParameterizedTest
	@ValueSource(booleans = { false, true })
	void aStreamThatIsResetBeyondTheLimitGivesBackWhatItHolds(boolean byServer) {
		this.service.behaves(Behaviour.SILENT);
		try (ScriptedPeer peer = ScriptedPeer.of(this.service).connected()) {
			fill(peer, 17);
			assertThat(peer.oracle.inboundWindow()).isZero();
			if (byServer) {
				peer.illegalWindowUpdate(33, 0).play();
			}
			else {
				peer.reset(33, 8).play();
			}
			InboundFlow flow = peer.connection().inboundFlow();
			assertThat(flow.creditWithPending()).isEqualTo(WINDOW);
			assertThat(flow.unconsumed()).isEqualTo(CreditLedger.LIMIT);
			this.service.behaves(Behaviour.ECHO);
			peer.servesACall(35);
		}
	}

	/**
	 * Sixteen streams hold all that the connection may hold, and nobody reads them.
	 * Services that take their messages must get others all the same.
	 */
	@ParameterizedTest
	@ValueSource(booleans = { false, true })
	void streamsThatAreNotReadDoNotStopTheOthers(boolean offLoop) {
		this.service.behaves(Behaviour.SILENT);
		ScriptedPeer.Server server = ScriptedPeer.of(this.service);
		try (ScriptedPeer peer = (offLoop ? server.runsOffLoop() : server).connected()) {
			fill(peer, 16);
			this.service.behaves(Behaviour.SINK);
			byte[] message = ScriptedPeer.message(new byte[10_000]);
			for (int id = 101; id < 701; id += 2) {
				assertThat(peer.oracle.inboundWindow()).as("credit for stream " + id)
					.isGreaterThanOrEqualTo(message.length);
				peer.headers(id, ScriptedPeer.request("/t.Raw/Bidi")).data(id, message).play();
				assertThat(this.service.call(16 + (id - 101) / 2).received).hasSize(1);
			}
		}
	}

	/**
	 * More streams than a small rest each would fill the limit with.
	 */
	@Test
	void manyStreamsWhoseMessagesAreTakenHoldNothing() {
		this.service.behaves(Behaviour.SINK);
		try (ScriptedPeer peer = ScriptedPeer.of(this.service).limits(10_000, 65535, 8192).runsOffLoop().connected()) {
			byte[] message = ScriptedPeer.message(new byte[15_000]);
			for (int id = 1; id < 2400; id += 2) {
				assertThat(peer.oracle.inboundWindow()).as("credit for stream " + id)
					.isGreaterThanOrEqualTo(message.length);
				peer.headers(id, ScriptedPeer.request("/t.Raw/Bidi")).data(id, message).play();
			}
			assertThat(this.service.calls).allSatisfy((call) -> assertThat(call.received).hasSize(1));
		}
	}

	/**
	 * What was taken before the limit was passed, and not worth a word then, is collected
	 * when it is.
	 */
	@Test
	void whatServicesTookBeforeIsCollected() {
		try (ScriptedPeer peer = ScriptedPeer.of(this.service).runsOffLoop().connected()) {
			this.service.behaves(Behaviour.SINK);
			byte[] message = ScriptedPeer.message(new byte[15_000]);
			for (int id = 1001; id < 1201; id += 2) {
				peer.headers(id, ScriptedPeer.request("/t.Raw/Bidi")).data(id, message).play();
			}
			this.service.calls.clear();
			this.service.behaves(Behaviour.SILENT);
			int id = 2001;
			long held = 0;
			while (peer.oracle.inboundWindow() > 0 && id < 2101) {
				peer.headers(id, ScriptedPeer.request("/t.Raw/Bidi"));
				byte[] large = ScriptedPeer.message(new byte[WINDOW - 5]);
				for (int offset = 0; offset < WINDOW && peer.oracle.inboundWindow() >= FRAME; offset += FRAME) {
					peer.data(id, Arrays.copyOfRange(large, offset, offset + FRAME)).play();
					held += FRAME;
				}
				if (peer.oracle.inboundWindow() < FRAME) {
					held += peer.oracle.inboundWindow();
					peer.data(id, new byte[(int) peer.oracle.inboundWindow()]).play();
				}
				id += 2;
			}
			// a frame that passed the limit before the others were asked is owed all the
			// same
			assertThat(held).as("what services that do not read may hold")
				.isBetween((long) CreditLedger.LIMIT + WINDOW - FRAME, (long) CreditLedger.LIMIT + WINDOW);
			assertThat(peer.connection().inboundFlow().unconsumed()).isEqualTo((int) held);
		}
	}

	/**
	 * Opens streams from 1 on, each of which holds a whole window.
	 */
	private static void fill(ScriptedPeer peer, int streams) {
		byte[] message = ScriptedPeer.message(new byte[WINDOW - 5]);
		for (int i = 0; i < streams; i++) {
			peer.headers(2 * i + 1, ScriptedPeer.request("/t.Raw/Bidi"));
			for (int offset = 0; offset < WINDOW; offset += FRAME) {
				peer.data(2 * i + 1, Arrays.copyOfRange(message, offset, offset + FRAME)).play();
			}
		}
	}

}
