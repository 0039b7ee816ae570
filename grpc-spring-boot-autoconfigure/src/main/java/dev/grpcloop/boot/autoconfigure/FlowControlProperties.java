package dev.grpcloop.boot.autoconfigure;

import java.time.Duration;
import java.time.temporal.ChronoUnit;

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

	public Duration getStallTimeout() {
		return this.stallTimeout;
	}

	public void setStallTimeout(Duration stallTimeout) {
		this.stallTimeout = stallTimeout;
	}

}
