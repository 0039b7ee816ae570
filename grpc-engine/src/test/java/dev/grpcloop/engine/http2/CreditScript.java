package dev.grpcloop.engine.http2;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;

import dev.grpcloop.engine.http2.ServedCall.Behaviour;
import io.grpc.Metadata;
import io.grpc.Status;

/**
 * One random conversation, told by its seed, with an eye on credit: a frame at a time,
 * and after each of them the engine's books are compared with a {@link CreditLedger} and
 * with what the client was told.
 */
final class CreditScript {

	/** What a service off the loop may have taken without saying so. */
	private static final int OFF_LOOP_BATCH = 16 * 1024;

	private final long seed;

	private final RandomInput random;

	private final boolean offLoop;

	private final int window;

	private final ScriptedService service = new ScriptedService();

	private final ScriptedPeer peer;

	private final CreditLedger ledger;

	private final Map<Integer, Sender> senders = new LinkedHashMap<>();

	private int nextId = 1;

	private int step;

	CreditScript(long seed, boolean offLoop) {
		this.seed = seed;
		this.random = new RandomInput(seed);
		this.offLoop = offLoop;
		this.window = this.random.oneOf(65535, 65535, 65536, 100_000, 1 << 20);
		this.ledger = new CreditLedger(this.window);
		this.service.behaves(new Demanding());
		ScriptedPeer.Server server = ScriptedPeer.of(this.service)
			.limits(1000, this.window, 8192)
			.maxMessageSize(4 * 1024 * 1024);
		this.peer = (offLoop ? server.runsOffLoop() : server).connected(0x4, this.random.oneOf(0, 1, 10, 1000, 65535));
	}

	void run(int steps) {
		try {
			for (this.step = 0; this.step < steps; this.step++) {
				step();
				this.peer.play();
				verify();
			}
			finish();
		}
		catch (AssertionError | RuntimeException ex) {
			throw new AssertionError("seed " + this.seed + ", step " + this.step + ", off loop " + this.offLoop
					+ ", window " + this.window + ": " + ex.getMessage(), ex);
		}
	}

	private void step() {
		Sender sender = this.senders.isEmpty() ? null : this.random.oneOf(new ArrayList<>(this.senders.values()));
		switch (this.random.below(20)) {
			case 0, 1 -> opens();
			case 2 -> this.peer.settings(0x4, this.random.oneOf(0, 1, 2, 50, 5000, 65535, 200_000));
			case 3, 4 -> this.peer.windowUpdate(0, this.random.oneOf(1, 1, 100, 10_000));
			default -> {
				if (sender != null) {
					step(sender);
				}
			}
		}
	}

	private void step(Sender sender) {
		switch (this.random.below(20)) {
			case 0, 1 -> {
				if (sender.wire.outboundWindow < 1 << 20) {
					this.peer.windowUpdate(sender.id, this.random.oneOf(1, 1, 100, 10_000));
				}
			}
			case 2 -> sender.halfCloses();
			case 3 -> {
				if (this.random.oneIn(3)) {
					sender.resets();
				}
			}
			case 4, 5 -> acts(() -> sender.call.request(this.random.oneOf(1, 1, 1, 2, 10)), sender);
			case 6 -> acts(() -> sender.call.send(this.random.message()), sender);
			case 7 -> {
				if (this.random.oneIn(3)) {
					acts(() -> sender.call.close(Status.OK), sender);
				}
			}
			default -> sender.sends();
		}
	}

	private void acts(Runnable step, Sender sender) {
		if (sender.call == null || sender.call.isDone()) {
			return;
		}
		if (this.offLoop) {
			this.peer.loop.leave(step);
		}
		else {
			this.peer.loop.enter(step);
		}
	}

	private void opens() {
		Sender sender = new Sender(this.nextId);
		String[] fields = ScriptedPeer.request("/t.Raw/Bidi", "x-stream", String.valueOf(sender.id), "x-wants",
				String.valueOf(this.random.oneOf(0, 0, 1, 2)));
		if (this.random.oneIn(8)) {
			sender.refused = true;
			fields[Arrays.asList(fields).indexOf("application/grpc")] = "text/plain";
		}
		this.peer.headers(sender.id, fields);
		sender.wire = this.peer.stream(sender.id);
		this.senders.put(sender.id, sender);
		this.ledger.opened(sender.id);
		this.nextId += 2;
	}

	// the books

	private void verify() {
		this.service.verify();
		InboundFlow flow = this.peer.connection().inboundFlow();
		for (Sender sender : this.senders.values()) {
			sender.settle();
		}
		if (this.offLoop) {
			check(flow.unconsumed() >= this.ledger.heldByAll(), "bytes that are held count as taken", flow.unconsumed(),
					this.ledger.heldByAll());
		}
		else {
			equal("bytes held by all streams", flow.unconsumed(), this.ledger.heldByAll());
			equal("the connection's credit", flow.creditWithPending(), this.ledger.connectionCredit());
		}
		long told = this.peer.oracle.inboundWindow();
		check(told <= flow.creditWithPending(), "the client was told more than it has", told, flow.creditWithPending());
		int worthwhile = Math.min(this.window / 2, 32767);
		check(flow.creditWithPending() - told < worthwhile, "credit that is worth a frame is not told", told,
				flow.creditWithPending());
		check(told == flow.creditWithPending() || told >= worthwhile, "the client has little and is not told of more",
				told, flow.creditWithPending());
		for (Sender sender : this.senders.values()) {
			sender.verify();
		}
		equal("what the server may send", this.peer.connection().outboundFlow().connectionWindow(),
				this.peer.oracle.outboundWindow());
		equal("streams", this.peer.connection().streams().size(),
				this.senders.values().stream().filter((sender) -> !sender.gone).count());
	}

	private void finish() {
		this.peer.settings(0x4, 1 << 24).windowUpdate(0, 1 << 29).play();
		verify();
		for (Sender sender : this.senders.values()) {
			if (this.random.oneIn(2)) {
				acts(() -> sender.call.request(Integer.MAX_VALUE - 1000), sender);
				this.peer.settle();
				acts(() -> sender.call.close(Status.OK), sender);
				sender.halfCloses();
			}
			else {
				sender.resets();
			}
			this.peer.play();
			verify();
		}
		InboundFlow flow = this.peer.connection().inboundFlow();
		equal("streams", this.peer.connection().streams().size(), 0);
		equal("bytes held", flow.unconsumed(), 0);
		equal("credit", flow.creditWithPending(), this.window);
		check(!this.peer.connection().frames().hasUnflushed(), "bytes were not flushed", 0, 0);
		this.peer.close();
	}

	private static void equal(String what, long actual, long expected) {
		check(actual == expected, what, actual, expected);
	}

	private static void check(boolean condition, String what, long actual, long expected) {
		if (!condition) {
			throw new AssertionError(what + ": " + actual + ", the ledger says " + expected);
		}
	}

	/**
	 * Wants as many messages as its client's headers say: none by itself, one after the
	 * other, or all.
	 */
	private final class Demanding implements Behaviour {

		@Override
		public void started(ServedCall call) {
			int id = Integer.parseInt(call.metadata.get(Metadata.Key.of("x-stream", Metadata.ASCII_STRING_MARSHALLER)));
			CreditScript.this.senders.get(id).call = call;
			switch (wants(call)) {
				case 1 -> call.request(1);
				case 2 -> call.request(Integer.MAX_VALUE);
				default -> {
					// whoever calls it will ask
				}
			}
		}

		@Override
		public void message(ServedCall call, byte[] message) {
			if (wants(call) == 1) {
				call.request(1);
			}
		}

		private int wants(ServedCall call) {
			return Integer.parseInt(call.metadata.get(Metadata.Key.of("x-wants", Metadata.ASCII_STRING_MARSHALLER)));
		}

	}

	/**
	 * The client's half of one stream.
	 */
	private final class Sender {

		private final int id;

		private WireStream wire;

		private ServedCall call;

		private boolean refused;

		/** The client has ended its side, or reset the stream. */
		private boolean ended;

		private boolean reset;

		private boolean broken;

		private boolean gone;

		/** What was sent, and not yet given to the service. */
		private long received;

		private byte[] unsent = {};

		Sender(int id) {
			this.id = id;
		}

		void sends() {
			long credit = Math.min(CreditScript.this.peer.oracle.inboundWindow(), this.wire.inboundWindow);
			if (this.ended || credit <= 0) {
				return;
			}
			if (this.unsent.length == 0) {
				this.unsent = nextMessage();
			}
			RandomInput random = CreditScript.this.random;
			int padding = random.oneIn(4) ? random.below(256) : -1;
			int wanted = random.oneIn(10) ? 0 : random.oneIn(3) ? 1 + random.below(20) : 16384 - 256;
			int length = (int) Math.min(Math.min(wanted, this.unsent.length), credit - padding - 1);
			if (length < 0) {
				padding = -1;
				length = (int) Math.min(this.unsent.length, credit);
			}
			byte[] piece = Arrays.copyOf(this.unsent, length);
			this.unsent = Arrays.copyOfRange(this.unsent, length, this.unsent.length);
			if (padding >= 0) {
				CreditScript.this.peer.paddedData(this.id, 0, piece, padding);
			}
			else {
				CreditScript.this.peer.data(this.id, piece);
			}
			if (!this.gone) {
				this.received += length;
				CreditScript.this.ledger.received(this.id, length);
			}
		}

		private byte[] nextMessage() {
			RandomInput random = CreditScript.this.random;
			if (random.oneIn(60)) {
				this.broken = true;
				return new byte[] { 2, 0, 0, 0, 0 };
			}
			int length = random.oneIn(10) ? random.below(3 * CreditScript.this.window)
					: random.below(random.oneIn(3) ? 30_000 : 300);
			return ScriptedPeer.message(new byte[length]);
		}

		void halfCloses() {
			if (!this.ended) {
				this.ended = true;
				CreditScript.this.peer.lastData(this.id);
			}
		}

		void resets() {
			if (!this.reset && !this.gone) {
				this.ended = true;
				this.reset = true;
				CreditScript.this.peer.reset(this.id, 8);
			}
		}

		/**
		 * Tells the ledger what has become of the stream.
		 */
		void settle() {
			if (this.gone) {
				return;
			}
			if (this.reset || this.wire.isReset() || (this.wire.isOver() && this.ended)) {
				this.gone = true;
				CreditScript.this.ledger.gone(this.id);
			}
			else if (this.refused) {
				CreditScript.this.ledger.holds(this.id, 0);
			}
			else if (this.call != null) {
				CreditScript.this.ledger.holds(this.id, held());
			}
		}

		/**
		 * What the service has not taken: complete messages that it did not ask for, and
		 * the part of one that it does not wait for.
		 */
		private long held() {
			long taken = this.call.received.stream().mapToLong((message) -> 5L + message.length).sum();
			long left = this.received - taken;
			return this.call.wantsMore() ? 0 : left;
		}

		void verify() {
			if (this.gone) {
				return;
			}
			InboundFlow.StreamCredit credit = CreditScript.this.peer.connection().streams().get(this.id).credit();
			long held = CreditScript.this.ledger.held(this.id);
			if (CreditScript.this.offLoop) {
				check(credit.held() >= held && credit.held() < held + OFF_LOOP_BATCH, "bytes held by " + this,
						credit.held(), held);
			}
			else {
				equal("bytes held by " + this, credit.held(), held);
				equal("credit of " + this, credit.creditWithPending(), CreditScript.this.ledger.streamCredit(this.id));
			}
			if (!this.ended) {
				long due = credit.creditWithPending();
				check(this.wire.inboundWindow <= due, "the client was told more than it has on " + this,
						this.wire.inboundWindow, due);
				check(due - this.wire.inboundWindow < CreditScript.this.window / 2,
						"credit that is worth a frame is not told on " + this, this.wire.inboundWindow, due);
			}
			if (this.call != null && !this.call.isEnded()) {
				long unsent = this.call.sent.size() - this.wire.body.size();
				check(unsent == 0 || this.wire.outboundWindow <= 0
						|| CreditScript.this.peer.oracle.outboundWindow() <= 0,
						"bytes of a response wait although there is credit on " + this, unsent, 0);
			}
		}

		@Override
		public String toString() {
			return "stream " + this.id + " (refused " + this.refused + ", ended " + this.ended + ", broken "
					+ this.broken + ", " + this.call + ")";
		}

	}

}
