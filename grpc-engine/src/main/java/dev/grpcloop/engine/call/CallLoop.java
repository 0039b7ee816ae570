package dev.grpcloop.engine.call;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;

import dev.grpcloop.engine.telemetry.LoopTelemetry;
import dev.grpcloop.engine.telemetry.MethodTelemetry;
import io.grpc.MethodDescriptor;
import org.jspecify.annotations.Nullable;

/**
 * What all calls of one event loop share. Owned by that loop.
 */
public final class CallLoop {

	/** A framed message up to this length is written without an array of its own. */
	private static final int SCRATCH_LENGTH = 16 * 1024;

	/**
	 * The most methods of a fallback registry that get a recorder each. A registry that
	 * makes up methods as it goes must not fill the memory.
	 */
	private static final int MAX_FALLBACK_METHODS = 1024;

	private static final VarHandle ENTRY;

	static {
		try {
			ENTRY = MethodHandles.lookup().findVarHandle(CallLoop.class, "entry", long.class);
		}
		catch (ReflectiveOperationException ex) {
			throw new ExceptionInInitializerError(ex);
		}
	}

	private final LoopTelemetry telemetry;

	private final MethodTelemetry[] byIndex;

	private final Map<MethodDescriptor<?, ?>, MethodTelemetry> fallback = new IdentityHashMap<>();

	private final MethodTelemetry unknown;

	private final DeadlineWheel.Clock clock;

	private final DeadlineWheel deadlines;

	/**
	 * Counts callbacks: odd while one runs. Written by the loop, read by the watchdog.
	 */
	private volatile long entry;

	private @Nullable MethodRoute<?, ?> entered;

	private @Nullable Thread thread;

	private final byte[] scratch = new byte[SCRATCH_LENGTH];

	/**
	 * Creates the state of a loop.
	 * @param telemetry the loop's recorder
	 * @param registry the methods
	 * @param clock the loop's time
	 */
	public CallLoop(LoopTelemetry telemetry, MethodRegistry registry, DeadlineWheel.Clock clock) {
		this.telemetry = telemetry;
		this.clock = clock;
		this.deadlines = new DeadlineWheel(clock);
		List<MethodDescriptor<?, ?>> descriptors = registry.descriptors();
		this.byIndex = new MethodTelemetry[descriptors.size()];
		for (int i = 0; i < this.byIndex.length; i++) {
			this.byIndex[i] = telemetry.method(descriptors.get(i));
		}
		this.unknown = telemetry.method(null);
	}

	/**
	 * Returns the loop's recorder.
	 * @return the recorder
	 */
	public LoopTelemetry telemetry() {
		return this.telemetry;
	}

	/**
	 * Returns the time, as {@link System#nanoTime()} tells it.
	 * @return nanoseconds
	 */
	public long nanoTime() {
		return this.clock.nanoTime();
	}

	MethodTelemetry telemetry(@Nullable MethodRoute<?, ?> route) {
		if (route == null) {
			return this.unknown;
		}
		if (route.index() != MethodRoute.NOT_INDEXED) {
			return this.byIndex[route.index()];
		}
		MethodTelemetry known = this.fallback.get(route.descriptor());
		if (known == null) {
			if (this.fallback.size() >= MAX_FALLBACK_METHODS) {
				return this.unknown;
			}
			known = recorder(route.descriptor());
			this.fallback.put(route.descriptor(), known);
		}
		return known;
	}

	/**
	 * The recorder of a method that was not known when the server started.
	 */
	private MethodTelemetry recorder(MethodDescriptor<?, ?> method) {
		try {
			return this.telemetry.method(method);
		}
		catch (RuntimeException ex) {
			CallDelivery.LOGGER.log(System.Logger.Level.WARNING,
					() -> "The calls of " + method.getFullMethodName() + " are recorded with those of unknown methods",
					ex);
			return this.unknown;
		}
	}

	DeadlineWheel deadlines() {
		return this.deadlines;
	}

	/**
	 * Service code begins to run on the loop, perhaps in the middle of another call's
	 * that wrote to this one.
	 * @return the method that ran before, or {@code null}; for {@link #exit}
	 */
	@Nullable MethodRoute<?, ?> enter(MethodRoute<?, ?> route) {
		if (this.thread == null) {
			this.thread = Thread.currentThread();
		}
		MethodRoute<?, ?> outer = isInside(this.entry) ? this.entered : null;
		this.entered = route;
		ENTRY.setOpaque(this, this.entry + ((outer != null) ? 2 : 1));
		return outer;
	}

	/**
	 * Service code has returned.
	 * @param outer the method that goes on, or {@code null}
	 */
	void exit(@Nullable MethodRoute<?, ?> outer) {
		this.entered = outer;
		ENTRY.setOpaque(this, this.entry + ((outer != null) ? 2 : 1));
	}

	// any thread: the watchdog's

	long entry() {
		return this.entry;
	}

	static boolean isInside(long entry) {
		return (entry & 1) != 0;
	}

	@Nullable MethodRoute<?, ?> entered() {
		return this.entered;
	}

	StackTraceElement[] stack() {
		Thread thread = this.thread;
		return (thread != null) ? thread.getStackTrace() : new StackTraceElement[0];
	}

	byte[] scratch() {
		return this.scratch;
	}

}
