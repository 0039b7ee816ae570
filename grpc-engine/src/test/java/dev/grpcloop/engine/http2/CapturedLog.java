package dev.grpcloop.engine.http2;

import java.util.ArrayList;
import java.util.List;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;

/**
 * Takes the engine's log off the console, and keeps what it says of faults of its own.
 */
final class CapturedLog extends Handler implements AutoCloseable {

	private final Logger logger = Logger.getLogger("dev.grpcloop.engine");

	private final List<String> records = new ArrayList<>();

	private CapturedLog() {
		this.logger.setUseParentHandlers(false);
		this.logger.addHandler(this);
	}

	static CapturedLog ofEngine() {
		return new CapturedLog();
	}

	@Override
	public synchronized void publish(LogRecord record) {
		String logger = String.valueOf(record.getLoggerName());
		// what service code throws is logged by the call package, and no fault here
		if (record.getLevel().intValue() >= Level.WARNING.intValue() && logger.endsWith(".http2")) {
			this.records.add(record.getMessage() + ": " + record.getThrown());
		}
	}

	synchronized List<String> serverFaults() {
		return List.copyOf(this.records);
	}

	@Override
	public void flush() {
		// keeps nothing back
	}

	@Override
	public void close() {
		this.logger.removeHandler(this);
		this.logger.setUseParentHandlers(true);
	}

}
