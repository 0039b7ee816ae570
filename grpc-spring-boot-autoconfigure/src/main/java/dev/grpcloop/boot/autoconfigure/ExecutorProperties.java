package dev.grpcloop.boot.autoconfigure;

import java.time.Duration;
import java.time.temporal.ChronoUnit;

import dev.grpcloop.boot.executor.ExecutorMode;

import org.springframework.boot.convert.DurationUnit;

/**
 * Where service code runs.
 */
public class ExecutorProperties {

	/**
	 * Where service code runs. With 'auto', on virtual threads or on a pool as
	 * 'spring.threads.virtual.enabled' says; if that is not set, on virtual threads from
	 * Java 24. With 'event-loop', on the event loops: for services that never block.
	 */
	private ExecutorMode mode = ExecutorMode.AUTO;

	/**
	 * Maximum number of threads of the pool. Threads are made on demand.
	 */
	private int maxThreads = 200;

	/**
	 * Maximum number of calls that wait for a thread of the pool. Further calls end with
	 * RESOURCE_EXHAUSTED.
	 */
	private int queueCapacity = 10_000;

	/**
	 * How long service code may hold an event loop before the server logs which method it
	 * is. With 0, nobody looks. A number without a unit is seconds.
	 */
	@DurationUnit(ChronoUnit.SECONDS)
	private Duration blockedThreshold = Duration.ofMillis(100);

	public ExecutorMode getMode() {
		return this.mode;
	}

	public void setMode(ExecutorMode mode) {
		this.mode = mode;
	}

	public int getMaxThreads() {
		return this.maxThreads;
	}

	public void setMaxThreads(int maxThreads) {
		this.maxThreads = maxThreads;
	}

	public int getQueueCapacity() {
		return this.queueCapacity;
	}

	public void setQueueCapacity(int queueCapacity) {
		this.queueCapacity = queueCapacity;
	}

	public Duration getBlockedThreshold() {
		return this.blockedThreshold;
	}

	public void setBlockedThreshold(Duration blockedThreshold) {
		this.blockedThreshold = blockedThreshold;
	}

}
