package dev.grpcloop.boot.autoconfigure;

import java.time.Duration;
import java.time.temporal.ChronoUnit;

import org.springframework.boot.convert.DurationUnit;

/**
 * What a client may do that costs the server more than the client. A connection that does
 * more is closed.
 */
public class GuardProperties {

	/**
	 * The period in which frames are counted. A number without a unit is seconds.
	 */
	@DurationUnit(ChronoUnit.SECONDS)
	private Duration period = Duration.ofSeconds(30);

	/**
	 * Maximum number of calls that a client may cancel in a period, on top of one for
	 * each that it may have open at once.
	 */
	private int resets = 200;

	/**
	 * Maximum number of streams that the server has to reset or refuse for faults of the
	 * client in a period, on top of one for each call that it may have open at once.
	 */
	private int protocolFaults = 200;

	/**
	 * Maximum number of SETTINGS frames in a period.
	 */
	private int settings = 1000;

	/**
	 * Maximum number of frames that change nothing in a period: PRIORITY, frames of
	 * unknown types, and WINDOW_UPDATE beyond what the server has sent.
	 */
	private int controlFrames = 120_000;

	/**
	 * Maximum number of DATA frames without data in a period.
	 */
	private int emptyFrames = 100;

	/**
	 * Maximum number of DATA frames that the client's window makes tiny in a period.
	 */
	private int tinyFrames = 1000;

	/**
	 * Maximum number of small CONTINUATION frames in one header block.
	 */
	private int smallContinuations = 16;

	public Duration getPeriod() {
		return this.period;
	}

	public void setPeriod(Duration period) {
		this.period = period;
	}

	public int getResets() {
		return this.resets;
	}

	public void setResets(int resets) {
		this.resets = resets;
	}

	public int getProtocolFaults() {
		return this.protocolFaults;
	}

	public void setProtocolFaults(int protocolFaults) {
		this.protocolFaults = protocolFaults;
	}

	public int getSettings() {
		return this.settings;
	}

	public void setSettings(int settings) {
		this.settings = settings;
	}

	public int getControlFrames() {
		return this.controlFrames;
	}

	public void setControlFrames(int controlFrames) {
		this.controlFrames = controlFrames;
	}

	public int getEmptyFrames() {
		return this.emptyFrames;
	}

	public void setEmptyFrames(int emptyFrames) {
		this.emptyFrames = emptyFrames;
	}

	public int getTinyFrames() {
		return this.tinyFrames;
	}

	public void setTinyFrames(int tinyFrames) {
		this.tinyFrames = tinyFrames;
	}

	public int getSmallContinuations() {
		return this.smallContinuations;
	}

	public void setSmallContinuations(int smallContinuations) {
		this.smallContinuations = smallContinuations;
	}

}
