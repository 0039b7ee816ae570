package dev.grpcloop.engine.http2;

import java.util.function.Consumer;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.UnpooledByteBufAllocator;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelHandler;
import io.netty.channel.ChannelOutboundBuffer;
import io.netty.channel.ChannelPromise;
import io.netty.channel.DefaultChannelId;
import io.netty.channel.EventLoop;
import io.netty.channel.WriteBufferWaterMark;
import io.netty.channel.embedded.EmbeddedChannel;
import io.netty.channel.socket.DuplexChannel;
import org.jspecify.annotations.Nullable;

/**
 * An embedded channel on a {@link SteppedLoop}, whose socket takes as many bytes as the
 * test allows. It counts every byte of every buffer that its allocator gave, so a buffer
 * that is not released shows at once.
 */
final class SteppedChannel extends EmbeddedChannel implements DuplexChannel {

	private final SteppedLoop loop;

	private final UnpooledByteBufAllocator allocator = new UnpooledByteBufAllocator(false, true);

	private final Consumer<byte[]> socket;

	private long allowance = Long.MAX_VALUE;

	private boolean outputShutdown;

	/** What a reader of the bytes threw; Netty would take it for a broken socket. */
	private @Nullable Throwable failure;

	/**
	 * Creates an open channel.
	 * @param loop its event loop
	 * @param socket gets the bytes that are flushed
	 */
	SteppedChannel(SteppedLoop loop, Consumer<byte[]> socket) {
		super(DefaultChannelId.newInstance(), false, false);
		this.loop = loop;
		this.socket = socket;
		config().setAllocator(this.allocator);
		config().setWriteBufferWaterMark(new WriteBufferWaterMark(64 * 1024, 128 * 1024));
	}

	/**
	 * Registers the channel with its loop.
	 * @param handler handles it
	 */
	void open(ChannelHandler handler) {
		this.loop.enter(() -> {
			try {
				register();
			}
			catch (Exception ex) {
				throw new IllegalStateException(ex);
			}
			pipeline().addLast(handler);
		});
	}

	/**
	 * The socket has bytes to read: one read, and the end of the batch.
	 */
	void receives(byte[] bytes) {
		reads(bytes, true);
	}

	/**
	 * One read, after which the transport goes on reading: the end of the batch does not
	 * come.
	 */
	void readsOn(byte[] bytes) {
		reads(bytes, false);
	}

	private void reads(byte[] bytes, boolean complete) {
		this.loop.enter(() -> {
			if (!isActive()) {
				return;
			}
			// a copy that is spoilt afterwards, since it belongs to nobody then
			byte[] copy = bytes.clone();
			ByteBuf buffer = this.allocator.heapBuffer(copy.length).writeBytes(copy);
			buffer.retain();
			pipeline().fireChannelRead(buffer);
			if (buffer.refCnt() != 1) {
				throw new AssertionError("the engine left " + buffer.refCnt() + " references to what it read, not 1");
			}
			buffer.setZero(0, buffer.capacity());
			buffer.release();
			if (complete) {
				pipeline().fireChannelReadComplete();
			}
		});
		verify();
	}

	/**
	 * The socket takes no more bytes than this.
	 */
	void socketTakes(long bytes) {
		this.allowance = bytes;
		this.loop.enter(() -> {
			ChannelOutboundBuffer outbound = unsafe().outboundBuffer();
			if (outbound != null && isActive()) {
				doWrite(outbound);
			}
		});
		verify();
	}

	boolean isSocketUnlimited() {
		return this.allowance == Long.MAX_VALUE;
	}

	/**
	 * The connection breaks.
	 */
	void breaks() {
		this.loop.enter(() -> unsafe().close(unsafe().voidPromise()));
	}

	/**
	 * Returns the bytes of all buffers that were not released.
	 */
	long allocatedBytes() {
		return this.allocator.metric().usedHeapMemory() + this.allocator.metric().usedDirectMemory();
	}

	/**
	 * Returns how many bytes the engine has written that the socket has not taken.
	 */
	long bytesThatWait() {
		ChannelOutboundBuffer outbound = unsafe().outboundBuffer();
		return (outbound != null) ? outbound.totalPendingWriteBytes() : 0;
	}

	/**
	 * Fails if the bytes that were flushed were not what they should be.
	 */
	void verify() {
		if (this.failure != null) {
			throw new AssertionError("what the engine wrote is wrong: " + this.failure.getMessage(), this.failure);
		}
	}

	@Override
	public EventLoop eventLoop() {
		return this.loop;
	}

	@Override
	protected void doWrite(ChannelOutboundBuffer outbound) {
		if (!this.loop.inEventLoop()) {
			fail(new AssertionError("written outside the event loop"));
		}
		ByteBuf buffer;
		while ((buffer = (ByteBuf) outbound.current()) != null) {
			int count = (int) Math.min(this.allowance, buffer.readableBytes());
			if (count < buffer.readableBytes() && count == 0) {
				return;
			}
			if (this.allowance != Long.MAX_VALUE) {
				this.allowance -= count;
			}
			if (count > 0) {
				if (this.outputShutdown) {
					fail(new AssertionError("written after the end of the output"));
				}
				flushed(ByteBufUtil.getBytes(buffer, buffer.readerIndex(), count));
				outbound.removeBytes(count);
			}
			else {
				outbound.remove();
			}
		}
	}

	private void flushed(byte[] bytes) {
		if (this.failure != null) {
			return;
		}
		try {
			this.socket.accept(bytes);
		}
		catch (RuntimeException | AssertionError ex) {
			fail(ex);
		}
	}

	private void fail(Throwable failure) {
		if (this.failure == null) {
			this.failure = failure;
		}
	}

	@Override
	public boolean isInputShutdown() {
		return false;
	}

	@Override
	public ChannelFuture shutdownInput() {
		throw new UnsupportedOperationException();
	}

	@Override
	public ChannelFuture shutdownInput(ChannelPromise promise) {
		throw new UnsupportedOperationException();
	}

	@Override
	public boolean isOutputShutdown() {
		return this.outputShutdown;
	}

	@Override
	public ChannelFuture shutdownOutput() {
		return shutdownOutput(newPromise());
	}

	@Override
	public ChannelFuture shutdownOutput(ChannelPromise promise) {
		this.outputShutdown = true;
		return promise.setSuccess();
	}

	@Override
	public boolean isShutdown() {
		return false;
	}

	@Override
	public ChannelFuture shutdown() {
		throw new UnsupportedOperationException();
	}

	@Override
	public ChannelFuture shutdown(ChannelPromise promise) {
		throw new UnsupportedOperationException();
	}

}
