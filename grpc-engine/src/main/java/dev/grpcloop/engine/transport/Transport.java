package dev.grpcloop.engine.transport;

import io.netty.channel.ChannelFactory;
import io.netty.channel.IoEventLoopGroup;
import io.netty.channel.IoHandlerFactory;
import io.netty.channel.ServerChannel;
import io.netty.channel.epoll.Epoll;
import io.netty.channel.epoll.EpollIoHandle;
import io.netty.channel.epoll.EpollIoHandler;
import io.netty.channel.epoll.EpollServerSocketChannel;
import io.netty.channel.kqueue.KQueue;
import io.netty.channel.kqueue.KQueueIoHandle;
import io.netty.channel.kqueue.KQueueIoHandler;
import io.netty.channel.kqueue.KQueueServerSocketChannel;
import io.netty.channel.nio.NioIoHandle;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import io.netty.channel.uring.IoUring;
import io.netty.channel.uring.IoUringIoHandle;
import io.netty.channel.uring.IoUringIoHandler;
import io.netty.channel.uring.IoUringServerSocketChannel;
import org.jspecify.annotations.Nullable;

/**
 * One way to do network I/O. The classes of a native transport are touched only when that
 * transport is asked about, so that an application may leave its jar out.
 */
public enum Transport {

	/** Java's selector, available everywhere. */
	NIO("nio") {

		@Override
		@Nullable Throwable probe() {
			return null;
		}

		@Override
		public IoHandlerFactory ioHandlerFactory() {
			return NioIoHandler.newFactory();
		}

		@Override
		public ChannelFactory<? extends ServerChannel> serverChannelFactory() {
			return NioServerSocketChannel::new;
		}

		@Override
		boolean drives(IoEventLoopGroup group) {
			return group.isCompatible(NioIoHandle.class);
		}

	},

	/** Linux epoll. */
	EPOLL("epoll") {

		@Override
		@Nullable Throwable probe() {
			return Epoll.unavailabilityCause();
		}

		@Override
		public IoHandlerFactory ioHandlerFactory() {
			return EpollIoHandler.newFactory();
		}

		@Override
		public ChannelFactory<? extends ServerChannel> serverChannelFactory() {
			return EpollServerSocketChannel::new;
		}

		@Override
		boolean drives(IoEventLoopGroup group) {
			return group.isCompatible(EpollIoHandle.class);
		}

	},

	/** BSD and macOS kqueue. */
	KQUEUE("kqueue") {

		@Override
		@Nullable Throwable probe() {
			return KQueue.unavailabilityCause();
		}

		@Override
		public IoHandlerFactory ioHandlerFactory() {
			return KQueueIoHandler.newFactory();
		}

		@Override
		public ChannelFactory<? extends ServerChannel> serverChannelFactory() {
			return KQueueServerSocketChannel::new;
		}

		@Override
		boolean drives(IoEventLoopGroup group) {
			return group.isCompatible(KQueueIoHandle.class);
		}

	},

	/** Linux io_uring. */
	IO_URING("io_uring") {

		@Override
		@Nullable Throwable probe() {
			pollOnce();
			return IoUring.unavailabilityCause();
		}

		@Override
		public IoHandlerFactory ioHandlerFactory() {
			return IoUringIoHandler.newFactory();
		}

		@Override
		public ChannelFactory<? extends ServerChannel> serverChannelFactory() {
			return IoUringServerSocketChannel::new;
		}

		@Override
		boolean drives(IoEventLoopGroup group) {
			return group.isCompatible(IoUringIoHandle.class);
		}

	};

	/** Read by Netty once, when its io_uring classes are first used. */
	private static final String MULTISHOT_POLL = "io.netty.iouring.pollAddMultishotEnabled";

	private final String displayName;

	Transport(String displayName) {
		this.displayName = displayName;
	}

	abstract @Nullable Throwable probe();

	/**
	 * Lets Netty ask anew after each read whether a socket is readable. With one lasting
	 * question it misses a reset that comes together with the last bytes: the kernel does
	 * not tell twice, and the connection stays open for good. Who sets the property
	 * otherwise has his way.
	 */
	private static void pollOnce() {
		if (System.getProperty(MULTISHOT_POLL) == null) {
			System.setProperty(MULTISHOT_POLL, "false");
		}
	}

	/**
	 * Returns the factory of the I/O handlers that drive this transport's channels.
	 * @return the factory, for an event loop group
	 */
	public abstract IoHandlerFactory ioHandlerFactory();

	/**
	 * Returns the factory of listening TCP channels.
	 * @return the factory; it uses no reflection
	 */
	public abstract ChannelFactory<? extends ServerChannel> serverChannelFactory();

	/**
	 * Whether a group drives this transport's channels. Its handlers may be wrapped.
	 */
	abstract boolean drives(IoEventLoopGroup group);

	/**
	 * Returns why this transport cannot be used here.
	 * @return the cause, or {@code null} if it can be used
	 */
	public @Nullable Throwable unavailabilityCause() {
		try {
			return probe();
		}
		catch (LinkageError ex) {
			// the transport's jar is not on the class path, or of another Netty version
			return ex;
		}
	}

	/**
	 * Returns the lower-case name users write.
	 * @return for example {@code io_uring}
	 */
	public String displayName() {
		return this.displayName;
	}

}
