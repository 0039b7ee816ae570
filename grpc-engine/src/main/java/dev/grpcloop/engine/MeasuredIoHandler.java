package dev.grpcloop.engine;

import java.util.Iterator;

import dev.grpcloop.engine.telemetry.LoopTelemetry;
import io.netty.channel.IoHandle;
import io.netty.channel.IoHandler;
import io.netty.channel.IoHandlerContext;
import io.netty.channel.IoHandlerFactory;
import io.netty.channel.IoRegistration;
import io.netty.util.concurrent.ThreadAwareExecutor;

/**
 * Measures how long an event loop works and how long it waits, around the I/O handler of
 * any transport. Each of its turns begins with {@link #run}: the handler looks for I/O,
 * waits for it if the loop has nothing else to do, and processes it; the tasks of the
 * loop follow.
 *
 * <pre>
 * run                  woken                                  run
 *  |-- waits for I/O --->|-- processes it --|-- runs tasks --->|
 *        waited                         busy
 * </pre>
 *
 * When the handler has waited it asks whether active time is to be reported, before it
 * does anything else; that is the moment from which the loop works again. So a turn costs
 * two looks at the clock, and one if the loop does not wait.
 * <p>
 * Owned by the event loop, but for {@link #wakeup}.
 */
final class MeasuredIoHandler implements IoHandler, IoHandlerContext {

	private final IoHandler handler;

	private final LoopTelemetry telemetry;

	private IoHandlerContext context;

	private boolean waiting;

	/** When the loop began to work. */
	private long busyFromNanos;

	/** How long it had waited before that. */
	private long waitedNanos;

	MeasuredIoHandler(IoHandler handler, LoopTelemetry telemetry) {
		this.handler = handler;
		this.telemetry = telemetry;
	}

	/**
	 * Returns a factory whose handlers are measured, unless nobody wants to know.
	 * @param factory makes the handlers
	 * @param telemetry the recorder of the loop whose handler is made next
	 */
	static IoHandlerFactory factory(IoHandlerFactory factory, Iterator<LoopTelemetry> telemetry) {
		return new IoHandlerFactory() {

			@Override
			public IoHandler newHandler(ThreadAwareExecutor executor) {
				IoHandler handler = factory.newHandler(executor);
				LoopTelemetry recorder = telemetry.next();
				return (recorder != LoopTelemetry.NOOP) ? new MeasuredIoHandler(handler, recorder) : handler;
			}

			@Override
			public boolean isChangingThreadSupported() {
				return factory.isChangingThreadSupported();
			}

		};
	}

	@Override
	public void initialize() {
		this.busyFromNanos = System.nanoTime();
		this.handler.initialize();
	}

	@Override
	public int run(IoHandlerContext context) {
		long now = System.nanoTime();
		this.telemetry.turned(now - this.busyFromNanos, this.waitedNanos);
		this.busyFromNanos = now;
		this.waitedNanos = 0;
		this.waiting = context.canBlock();
		this.context = context;
		int handled = this.handler.run(this);
		woken();
		return handled;
	}

	private void woken() {
		if (this.waiting) {
			this.waiting = false;
			long now = System.nanoTime();
			this.waitedNanos = now - this.busyFromNanos;
			this.busyFromNanos = now;
		}
	}

	@Override
	public void prepareToDestroy() {
		this.handler.prepareToDestroy();
	}

	@Override
	public void destroy() {
		this.handler.destroy();
	}

	@Override
	public IoRegistration register(IoHandle handle) throws Exception {
		return this.handler.register(handle);
	}

	@Override
	public void wakeup() {
		this.handler.wakeup();
	}

	@Override
	public boolean isCompatible(Class<? extends IoHandle> handleType) {
		return this.handler.isCompatible(handleType);
	}

	// what the handler asks the loop

	@Override
	public boolean canBlock() {
		return this.context.canBlock();
	}

	@Override
	public long delayNanos(long currentTimeNanos) {
		return this.context.delayNanos(currentTimeNanos);
	}

	@Override
	public long deadlineNanos() {
		return this.context.deadlineNanos();
	}

	@Override
	public boolean shouldReportActiveIoTime() {
		woken();
		return this.context.shouldReportActiveIoTime();
	}

	@Override
	public void reportActiveIoTime(long activeNanos) {
		this.context.reportActiveIoTime(activeNanos);
	}

}
