package dev.grpcloop.boot.executor;

/**
 * Where service code runs.
 */
public enum ExecutorMode {

	/**
	 * Virtual threads or the pool. The explicit setting of
	 * {@code spring.threads.virtual.enabled} decides; without one, virtual threads from
	 * Java 24, where blocking in a synchronized block no longer pins their carrier.
	 */
	AUTO,

	/** The event loops, with no hand-off: for services that never block. */
	EVENT_LOOP,

	/** A virtual thread per call, Java 21 or newer. */
	VIRTUAL,

	/** A pool of platform threads. */
	PLATFORM

}
