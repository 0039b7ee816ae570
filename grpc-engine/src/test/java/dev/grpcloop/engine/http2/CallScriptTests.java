package dev.grpcloop.engine.http2;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;

import dev.grpcloop.engine.http2.ServedCall.Behaviour;
import io.grpc.Metadata;
import io.grpc.Status;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * 10 000 calls in which clients, service code and the threads that run it act in random
 * order: whatever they do, a listener hears of exactly one end and of nothing after it,
 * and what is out of order is refused to the one who did it (case B24).
 */
class CallScriptTests {

	private static final int CONNECTIONS = 100;

	private static final int CALLS = 50;

	private static final String[] METHODS = { "/t.Raw/Bidi", "/t.Echo/Bidi", "/t.Raw/Unary", "/t.Raw/ServerStream" };

	/**
	 * Case B24.
	 */
	@ParameterizedTest
	@ValueSource(booleans = { false, true })
	void everyListenerHearsOfOneEnd(boolean offLoop) {
		for (int seed = 0; seed < CONNECTIONS; seed++) {
			Random random = new Random(seed);
			ScriptedService service = new ScriptedService();
			service.behaves((call) -> new RandomBehaviour(random, service));
			ScriptedPeer.Server server = ScriptedPeer.of(service);
			try (ScriptedPeer peer = (offLoop ? server.runsOffLoop() : server).connected(0x4, 200)) {
				for (int call = 0; call < CALLS; call++) {
					play(peer, service, random, 2 * call + 1);
				}
				peer.settle();
				assertThat(service.calls).as("seed " + seed).allSatisfy((call) -> {
					assertThat(call.events).first().isEqualTo("start");
					assertThat(
							call.events.stream().filter((event) -> event.equals("complete") || event.equals("cancel")))
						.as("ends of " + call)
						.hasSize(1);
					assertThat(call.call.isCancelled() || !call.cancelled).as(call.toString()).isTrue();
				});
				assertThat(peer.oracle.goAways()).isEmpty();
				assertThat(peer.connection().streams().isEmpty()).isTrue();
			}
			service.verify();
		}
	}

	private static void play(ScriptedPeer peer, ScriptedService service, Random random, int id) {
		boolean ended = random.nextInt(8) == 0;
		peer.headers(id, ended ? ScriptedPeer.END_STREAM : 0,
				RawHpack.block(ScriptedPeer.request(METHODS[random.nextInt(METHODS.length)])));
		boolean reset = false;
		for (int step = random.nextInt(12); step > 0 && !reset; step--) {
			switch (random.nextInt(8)) {
				case 0, 1 -> {
					if (!ended) {
						peer.data(id, ScriptedPeer.ABC);
					}
				}
				case 2 -> {
					if (!ended) {
						peer.lastData(id, ScriptedPeer.ABC);
						ended = true;
					}
				}
				case 3 -> {
					reset = random.nextInt(3) == 0;
					if (reset) {
						peer.reset(id, 8);
					}
				}
				case 4 -> peer.deliver();
				case 5 -> peer.loop.runAll();
				case 6 -> {
					if (peer.executor.hasTasks()) {
						peer.executor.run(random.nextInt(peer.executor.size()));
					}
				}
				default -> actLater(peer, service, random);
			}
		}
		peer.deliver();
		while (random.nextBoolean()) {
			actLater(peer, service, random);
		}
		peer.settle();
		if (!isOver(peer, id)) {
			peer.reset(id, 8).play();
		}
	}

	private static boolean isOver(ScriptedPeer peer, int id) {
		return peer.stream(id).isOver();
	}

	/**
	 * Service code acts outside a callback, on the loop or another thread.
	 */
	private static void actLater(ScriptedPeer peer, ScriptedService service, Random random) {
		if (service.calls.isEmpty()) {
			return;
		}
		ServedCall call = service.call(service.calls.size() - 1);
		Runnable step = () -> RandomBehaviour.act(call, random, service);
		if (random.nextBoolean()) {
			peer.loop.enter(step);
		}
		else {
			peer.loop.leave(step);
		}
	}

	/**
	 * Service code that does anything at any time, and knows what it must be told of it.
	 */
	private static final class RandomBehaviour implements Behaviour {

		private final Random random;

		private final ScriptedService service;

		RandomBehaviour(Random random, ScriptedService service) {
			this.random = random;
			this.service = service;
		}

		private void some(ServedCall call) {
			while (this.random.nextInt(3) == 0) {
				act(call, this.random, this.service);
			}
		}

		static void act(ServedCall call, Random random, ScriptedService service) {
			boolean headers = call.sentHeaders != null;
			boolean closed = call.closed != null;
			switch (random.nextInt(7)) {
				case 0, 1 -> call.request(1 + random.nextInt(3));
				case 2 -> {
					if (!headers && !closed) {
						call.sentHeaders = new Metadata();
					}
					expectOrder(service, call, "sendHeaders", headers || closed,
							() -> call.call.sendHeaders(new Metadata()));
				}
				case 3, 4 -> expectOrder(service, call, "sendMessage", !headers || closed,
						() -> call.send(new byte[random.nextInt(100)]));
				case 5 -> call.call.isReady();
				default -> {
					Status status = random.nextBoolean() ? Status.OK : Status.ABORTED;
					call.closed = status;
					expectOrder(service, call, "close", closed, () -> call.call.close(status, new Metadata()));
				}
			}
		}

		private static void expectOrder(ScriptedService service, ServedCall call, String name, boolean outOfOrder,
				Runnable action) {
			List<RuntimeException> thrown = new ArrayList<>();
			try {
				if (outOfOrder && name.equals("sendMessage")) {
					// the kit would send headers first
					call.call.sendMessage(new byte[0]);
				}
				else {
					action.run();
				}
			}
			catch (IllegalStateException ex) {
				thrown.add(ex);
			}
			service.expect(outOfOrder == !thrown.isEmpty(), name + (outOfOrder ? " was accepted: " : " was refused: ")
					+ call + ", cancelled: " + call.call.isCancelled());
		}

		@Override
		public void started(ServedCall call) {
			some(call);
		}

		@Override
		public void message(ServedCall call, byte[] message) {
			some(call);
		}

		@Override
		public void halfClosed(ServedCall call) {
			some(call);
		}

		@Override
		public void ready(ServedCall call) {
			some(call);
		}

		@Override
		public void ended(ServedCall call) {
			some(call);
		}

	}

}
