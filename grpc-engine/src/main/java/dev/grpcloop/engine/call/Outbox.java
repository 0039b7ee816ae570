package dev.grpcloop.engine.call;

import java.util.concurrent.atomic.AtomicReferenceFieldUpdater;

import io.grpc.Status;
import org.jspecify.annotations.Nullable;

/**
 * What a call's service wrote from other threads than the event loop, in order, until the
 * loop takes it. Everything in it is serialised already.
 */
final class Outbox extends PostQueue.Node {

	private static final AtomicReferenceFieldUpdater<Outbox, @Nullable Command> TOP = AtomicReferenceFieldUpdater
		.newUpdater(Outbox.class, Command.class, "top");

	private volatile @Nullable Command top;

	/**
	 * Commands that were taken and are yet to be applied. What one of them causes may
	 * write too, and has to find those behind it. The event loop's.
	 */
	private @Nullable Command taken;

	private final EngineServerCall<?, ?> call;

	Outbox(EngineServerCall<?, ?> call) {
		this.call = call;
	}

	/**
	 * Adds a command. Any thread.
	 */
	void add(Command command) {
		Command previous;
		do {
			previous = this.top;
			command.next = previous;
		}
		while (!TOP.compareAndSet(this, previous, command));
	}

	/**
	 * Applies all commands. The event loop only.
	 */
	void drain() {
		if (this.top != null) {
			take(reverse(TOP.getAndSet(this, null)));
		}
		Command command;
		while ((command = this.taken) != null) {
			this.taken = command.next;
			command.apply(this.call);
		}
	}

	private void take(@Nullable Command first) {
		if (this.taken == null) {
			this.taken = first;
			return;
		}
		Command last = this.taken;
		while (last.next != null) {
			last = last.next;
		}
		last.next = first;
	}

	@Override
	protected void run() {
		drain();
		this.call.delivery().posted();
	}

	private static @Nullable Command reverse(@Nullable Command top) {
		Command reversed = null;
		Command command = top;
		while (command != null) {
			Command next = command.next;
			command.next = reversed;
			reversed = command;
			command = next;
		}
		return reversed;
	}

	/**
	 * One thing to do on the loop.
	 */
	abstract static class Command {

		private @Nullable Command next;

		abstract void apply(EngineServerCall<?, ?> call);

	}

	static final class Headers extends Command {

		private final byte @Nullable [] encoding;

		private final byte[][] metadata;

		Headers(byte @Nullable [] encoding, byte[][] metadata) {
			this.encoding = encoding;
			this.metadata = metadata;
		}

		@Override
		void apply(EngineServerCall<?, ?> call) {
			call.writeHeaders(this.encoding, this.metadata);
		}

	}

	static final class Message extends Command {

		private final byte[] framed;

		Message(byte[] framed) {
			this.framed = framed;
		}

		@Override
		void apply(EngineServerCall<?, ?> call) {
			call.writeMessage(this.framed);
		}

	}

	static final class Close extends Command {

		private final Status status;

		private final byte[][] metadata;

		Close(Status status, byte[][] metadata) {
			this.status = status;
			this.metadata = metadata;
		}

		@Override
		void apply(EngineServerCall<?, ?> call) {
			call.writeClose(this.status, this.metadata);
		}

	}

	static final class Cancel extends Command {

		private final Status status;

		Cancel(Status status) {
			this.status = status;
		}

		@Override
		void apply(EngineServerCall<?, ?> call) {
			call.writeCancel(this.status);
		}

	}

	static final class Terminate extends Command {

		private final Status status;

		Terminate(Status status) {
			this.status = status;
		}

		@Override
		void apply(EngineServerCall<?, ?> call) {
			call.terminate(this.status);
		}

	}

	static final class Exhausted extends Command {

		@Override
		void apply(EngineServerCall<?, ?> call) {
			call.stream().exhausted();
		}

	}

}
