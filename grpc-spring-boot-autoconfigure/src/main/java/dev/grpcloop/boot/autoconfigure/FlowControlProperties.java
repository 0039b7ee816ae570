package dev.grpcloop.boot.autoconfigure;

import java.time.Duration;
import java.time.temporal.ChronoUnit;

import org.jspecify.annotations.Nullable;

import org.springframework.boot.convert.DataSizeUnit;
import org.springframework.boot.convert.DurationUnit;
import org.springframework.util.unit.DataSize;
import org.springframework.util.unit.DataUnit;

/**
 * How far a client may be ahead or behind.
 */
public class FlowControlProperties {

	/**
	 * How many bytes a client may send on one call ahead of what the service has taken,
	 * and on one connection ahead of what the server has read. Messages may be larger. A
	 * number without a unit is bytes.
	 */
	@DataSizeUnit(DataUnit.BYTES)
	private DataSize window = DataSize.ofMegabytes(1);

	/**
	 * Maximum size of the responses that one call may hold while its client does not read
	 * them. A call beyond it ends with RESOURCE_EXHAUSTED; services that heed 'isReady'
	 * never come near. A number without a unit is bytes.
	 */
	@DataSizeUnit(DataUnit.BYTES)
	private DataSize maxBufferedPerCall = DataSize.ofMegabytes(64);

	/**
	 * How many bytes the server may hold for all its clients together: requests that no
	 * service has taken, responses that wait, and what connections and calls cost by
	 * themselves. Beyond it, calls of connections that hold more than their fair share
	 * end with RESOURCE_EXHAUSTED. By default, a quarter of the JVM's largest direct
	 * memory or heap, whichever is less. A number without a unit is bytes.
	 */
	@DataSizeUnit(DataUnit.BYTES)
	private @Nullable DataSize maxBuffered;

	/**
	 * How long a client may take no byte of what waits for it before its connection is
	 * closed. A number without a unit is seconds.
	 */
	@DurationUnit(ChronoUnit.SECONDS)
	private Duration stallTimeout = Duration.ofSeconds(60);

	public DataSize getWindow() {
		return this.window;
	}

	public void setWindow(DataSize window) {
		this.window = window;
	}

	public DataSize getMaxBufferedPerCall() {
		return this.maxBufferedPerCall;
	}

	public void setMaxBufferedPerCall(DataSize maxBufferedPerCall) {
		this.maxBufferedPerCall = maxBufferedPerCall;
	}

	public @Nullable DataSize getMaxBuffered() {
		return this.maxBuffered;
	}

	public void setMaxBuffered(@Nullable DataSize maxBuffered) {
		this.maxBuffered = maxBuffered;
	}

	public Duration getStallTimeout() {
		return this.stallTimeout;
	}

	public void setStallTimeout(Duration stallTimeout) {
		this.stallTimeout = stallTimeout;
	}

}
