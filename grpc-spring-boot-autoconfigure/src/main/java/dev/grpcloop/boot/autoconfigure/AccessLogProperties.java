package dev.grpcloop.boot.autoconfigure;

import dev.grpcloop.boot.accesslog.AccessLogFormat;

/**
 * A line in the log for each call.
 */
public class AccessLogProperties {

	/**
	 * Whether to write a line for each call to the logger 'grpc.access'.
	 */
	private boolean enabled = false;

	/**
	 * What a line looks like: 'text' is key=value, 'json' an object.
	 */
	private AccessLogFormat format = AccessLogFormat.TEXT;

	/**
	 * Maximum number of lines that wait to be written. Calls that end while as many wait
	 * are left out, and counted.
	 */
	private int queueCapacity = 10_000;

	public boolean isEnabled() {
		return this.enabled;
	}

	public void setEnabled(boolean enabled) {
		this.enabled = enabled;
	}

	public AccessLogFormat getFormat() {
		return this.format;
	}

	public void setFormat(AccessLogFormat format) {
		this.format = format;
	}

	public int getQueueCapacity() {
		return this.queueCapacity;
	}

	public void setQueueCapacity(int queueCapacity) {
		this.queueCapacity = queueCapacity;
	}

}
