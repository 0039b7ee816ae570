package dev.grpcloop.boot.executor;

import dev.grpcloop.boot.GrpcServerExecutorProvider;
import org.jspecify.annotations.Nullable;

import org.springframework.boot.diagnostics.FailureAnalyzedException;
import org.springframework.core.env.Environment;

/**
 * Chooses where service code runs. The choice is made at each start of the server, not by
 * a condition, so that it sees the environment as it is then.
 */
public final class CallExecutorFactory {

	/** The first Java version with virtual threads. */
	private static final int VIRTUAL_THREADS = 21;

	/** The first one whose virtual threads do not pin their carrier (JEP 491). */
	private static final int VIRTUAL_THREADS_WITHOUT_PINNING = 24;

	private static final String MODE_PROPERTY = "grpc.server.executor.mode";

	private static final String VIRTUAL_PROPERTY = "spring.threads.virtual.enabled";

	private final ExecutorMode mode;

	private final int maxThreads;

	private final int queueCapacity;

	private final Environment environment;

	private final int javaVersion;

	private final @Nullable GrpcServerExecutorProvider provider;

	/**
	 * A factory for the running Java version.
	 * @param mode what was configured
	 * @param maxThreads the most threads of a pool, at least 1
	 * @param queueCapacity the most calls that wait for one of them, at least 0
	 * @param environment where {@code spring.threads.virtual.enabled} is read
	 */
	public CallExecutorFactory(ExecutorMode mode, int maxThreads, int queueCapacity, Environment environment) {
		this(mode, maxThreads, queueCapacity, environment, Runtime.version().feature());
	}

	CallExecutorFactory(ExecutorMode mode, int maxThreads, int queueCapacity, Environment environment,
			int javaVersion) {
		this(mode, maxThreads, queueCapacity, environment, javaVersion, null);
	}

	private CallExecutorFactory(ExecutorMode mode, int maxThreads, int queueCapacity, Environment environment,
			int javaVersion, @Nullable GrpcServerExecutorProvider provider) {
		this.mode = mode;
		this.maxThreads = maxThreads;
		this.queueCapacity = queueCapacity;
		this.environment = environment;
		this.javaVersion = javaVersion;
		this.provider = provider;
	}

	/**
	 * Returns a factory that takes the executor of the application instead.
	 * @param provider brings it
	 * @return the factory
	 */
	public CallExecutorFactory providedBy(GrpcServerExecutorProvider provider) {
		return new CallExecutorFactory(this.mode, this.maxThreads, this.queueCapacity, this.environment,
				this.javaVersion, provider);
	}

	/**
	 * Makes the executor of one server.
	 * @return a new executor, to be closed after the server
	 * @throws FailureAnalyzedException if virtual threads are asked for and this Java has
	 * none
	 */
	public CallExecutor create() {
		if (this.provider != null) {
			return CallExecutor.provided(this.provider.getExecutor(), "GrpcServerExecutorProvider");
		}
		return switch (this.mode) {
			case AUTO -> automatic();
			case EVENT_LOOP -> CallExecutor.eventLoop(this::automatic, MODE_PROPERTY + " is event-loop");
			case VIRTUAL -> virtual();
			case PLATFORM -> platform(MODE_PROPERTY + " is platform");
		};
	}

	/**
	 * Whether the executors have a pool of platform threads, or may come to need one.
	 * @return whether there can be one
	 */
	public boolean canHavePool() {
		if (this.provider != null || this.mode == ExecutorMode.VIRTUAL) {
			return false;
		}
		return this.mode == ExecutorMode.PLATFORM || !automaticallyVirtual();
	}

	private boolean automaticallyVirtual() {
		return this.environment.getProperty(VIRTUAL_PROPERTY, Boolean.class,
				this.javaVersion >= VIRTUAL_THREADS_WITHOUT_PINNING) && this.javaVersion >= VIRTUAL_THREADS;
	}

	private CallExecutor automatic() {
		Boolean virtual = this.environment.getProperty(VIRTUAL_PROPERTY, Boolean.class);
		if (virtual == null) {
			String reason = VIRTUAL_PROPERTY + " is not set and this is Java " + this.javaVersion;
			return automaticallyVirtual() ? CallExecutor.virtual(reason) : platform(reason);
		}
		if (virtual && this.javaVersion < VIRTUAL_THREADS) {
			return platform(VIRTUAL_PROPERTY + " is true, but Java " + this.javaVersion + " has no virtual threads");
		}
		return virtual ? CallExecutor.virtual(VIRTUAL_PROPERTY + " is true") : platform(VIRTUAL_PROPERTY + " is false");
	}

	private CallExecutor virtual() {
		if (this.javaVersion < VIRTUAL_THREADS) {
			throw new FailureAnalyzedException(
					MODE_PROPERTY + " is virtual, but this is Java " + this.javaVersion + ": virtual threads need Java "
							+ VIRTUAL_THREADS + " or newer.",
					"Run the application on Java " + VIRTUAL_THREADS + " or newer, or set " + MODE_PROPERTY
							+ " to auto, platform or, for services that never block, event-loop.");
		}
		return CallExecutor.virtual(MODE_PROPERTY + " is virtual");
	}

	private CallExecutor platform(String reason) {
		return CallExecutor.platform(this.maxThreads, this.queueCapacity, reason);
	}

}
