package dev.grpcloop.engine;

import java.io.IOException;
import java.net.SocketAddress;
import java.util.ArrayList;
import java.util.Collection;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

import dev.grpcloop.engine.call.CallEnvironment;
import dev.grpcloop.engine.call.CallLoop;
import dev.grpcloop.engine.call.DeadlineWheel;
import dev.grpcloop.engine.http2.ConnectionEnvironment;
import dev.grpcloop.engine.http2.ConnectionOwner;
import dev.grpcloop.engine.http2.Http2ServerHandler;
import dev.grpcloop.engine.http2.LoopMemory;
import dev.grpcloop.engine.http2.MemoryBudget;
import io.grpc.InternalDecompressorRegistry;
import io.netty.bootstrap.ServerBootstrap;
import io.netty.channel.AdaptiveRecvByteBufAllocator;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.WriteBufferWaterMark;
import io.netty.util.concurrent.EventExecutor;

/**
 * Binds the server's addresses and puts a handler on every connection that comes.
 */
final class Listeners {

	/**
	 * Flushed at 64 KiB, a connection becomes unwritable only when the socket takes no
	 * more.
	 */
	private static final WriteBufferWaterMark WATER_MARK = new WriteBufferWaterMark(64 * 1024, 128 * 1024);

	/**
	 * A connection that always has bytes reads this often, 64 KiB at most each time,
	 * before the others of its loop do.
	 */
	private static final int READS_IN_A_TURN = 1;

	private final ServerSettings settings;

	private final EventLoops loops;

	private final ConnectionEnvironment environment;

	private final Map<EventExecutor, CallLoop> callLoops = new IdentityHashMap<>();

	private final Map<EventExecutor, LoopMemory> memories = new IdentityHashMap<>();

	Listeners(ServerSettings settings, EventLoops loops, CallEnvironment calls, MemoryBudget memory,
			ConnectionOwner owner) {
		this.settings = settings;
		this.loops = loops;
		this.environment = new ConnectionEnvironment(calls, settings.policy(),
				InternalDecompressorRegistry.getRawAdvertisedMessageEncodings(settings.decompressors()),
				settings.transportFilters(), owner);
		for (int i = 0; i < loops.count(); i++) {
			EventExecutor loop = loops.loop(i);
			this.callLoops.put(loop, new CallLoop(loops.telemetry(i), calls.registry(), new LoopClock(loop)));
			this.memories.put(loop, new LoopMemory(memory, loop));
		}
	}

	/**
	 * Binds all addresses, or none.
	 */
	List<Channel> bind() throws IOException {
		List<Channel> bound = new ArrayList<>();
		for (SocketAddress address : this.settings.addresses()) {
			ChannelFuture future = bootstrap().bind(address).awaitUninterruptibly();
			if (!future.isSuccess()) {
				bound.forEach((channel) -> channel.close().awaitUninterruptibly());
				throw new IOException("Failed to bind to address " + address + ": " + future.cause().getMessage(),
						future.cause());
			}
			bound.add(future.channel());
		}
		return bound;
	}

	Collection<CallLoop> callLoops() {
		return this.callLoops.values();
	}

	private ServerBootstrap bootstrap() {
		return new ServerBootstrap().group(this.loops.group())
			.channelFactory(this.settings.transport().transport().serverChannelFactory())
			.option(ChannelOption.SO_REUSEADDR, true)
			.childOption(ChannelOption.TCP_NODELAY, true)
			.childOption(ChannelOption.SO_KEEPALIVE, true)
			.childOption(ChannelOption.WRITE_BUFFER_WATER_MARK, WATER_MARK)
			.childOption(ChannelOption.RECVBUF_ALLOCATOR,
					new AdaptiveRecvByteBufAllocator().maxMessagesPerRead(READS_IN_A_TURN))
			.childHandler(new ConnectionInitializer());
	}

	private final class ConnectionInitializer extends ChannelInitializer<Channel> {

		@Override
		protected void initChannel(Channel channel) {
			channel.pipeline()
				.addLast(new Http2ServerHandler(Listeners.this.callLoops.get(channel.eventLoop()),
						Listeners.this.memories.get(channel.eventLoop()), Listeners.this.environment));
		}

	}

	/**
	 * The time of an event loop.
	 */
	private record LoopClock(EventExecutor loop) implements DeadlineWheel.Clock {

		@Override
		public long nanoTime() {
			return System.nanoTime();
		}

		@Override
		public void schedule(Runnable task, long delayNanos) {
			this.loop.schedule(task, delayNanos, TimeUnit.NANOSECONDS);
		}

	}

}
