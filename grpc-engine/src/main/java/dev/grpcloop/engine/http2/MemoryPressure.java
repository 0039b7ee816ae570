package dev.grpcloop.engine.http2;

import java.util.Arrays;
import java.util.Comparator;

import dev.grpcloop.engine.telemetry.Guard;
import io.netty.channel.Channel;

/**
 * What a connection does about the memory that it takes: it does not begin when there is
 * no room, gives back what is more than its share when that is asked for, stops writing
 * while memory is scarce and its socket is full, and ends when its peer does not read.
 * <p>
 * Owned by the event loop.
 */
final class MemoryPressure implements ConnectionMemory.Holder {

	private final Http2Connection connection;

	private final ConnectionMemory memory;

	private final SocketBacklog backlog;

	private final UnreadOutputGuard unreadOutput;

	MemoryPressure(Channel channel, Http2Connection connection, LoopMemory loop) {
		this.connection = connection;
		this.memory = new ConnectionMemory(loop, this);
		this.backlog = new SocketBacklog(channel, connection.frames(), this.memory,
				connection.policy().life().stallNanos(), () -> unread(Guard.WRITE_STALL));
		this.unreadOutput = new UnreadOutputGuard(this.memory);
	}

	/**
	 * The account of the connection.
	 */
	ConnectionMemory memory() {
		return this.memory;
	}

	/**
	 * The connection begins.
	 */
	void opened() {
		if (!this.memory.open()) {
			this.connection.errors().abandon(Guard.MEMORY, "the server holds too much");
		}
	}

	@Override
	public long idleNanos() {
		boolean idle = this.connection.streams().isEmpty() && this.connection.abandonedCalls().count() == 0
				&& !this.connection.closing().isClosing();
		return idle ? this.connection.timers().keepAlive().silentNanos() : -1;
	}

	@Override
	public void giveWay() {
		this.connection.errors().abandon(Guard.MEMORY, "there are too many connections, and this one does nothing");
	}

	@Override
	public void giveBack() {
		this.connection.batch().run(this::endLargestCalls);
		if (this.memory.isGreedy()) {
			// what its socket does not take, and nobody can take back
			this.connection.errors().abandon(Guard.MEMORY, String.valueOf(this.memory.exhausted().getDescription()));
		}
	}

	private void endLargestCalls() {
		Http2Stream[] largestFirst = this.connection.snapshot();
		Arrays.sort(largestFirst, Comparator.comparingLong(Http2Stream::held).reversed());
		for (Http2Stream stream : largestFirst) {
			if (!this.memory.isGreedy()) {
				return;
			}
			stream.exhausted();
		}
	}

	/**
	 * All that was written was flushed: what the socket has not taken waits in memory.
	 */
	void flushed() {
		long waiting = this.backlog.measure();
		if (waiting == 0) {
			return;
		}
		if (this.unreadOutput.isExceeded(waiting)) {
			unread(Guard.UNREAD_OUTPUT);
		}
		else if (!this.connection.outboundFlow().isPaused() && this.memory.isGreedy()) {
			this.connection.outboundFlow().paused(true);
			this.connection.frames().whenTaken(this::resumeAfterPause);
		}
	}

	private void resumeAfterPause() {
		this.connection.outboundFlow().paused(false);
		this.connection.batch().resumeAtEnd();
	}

	private void unread(Guard guard) {
		this.connection.errors().abandon(guard, "the client does not read what it is sent");
	}

	/**
	 * The channel is closed.
	 */
	void channelClosed() {
		this.backlog.close();
	}

}
