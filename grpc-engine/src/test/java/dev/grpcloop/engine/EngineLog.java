package dev.grpcloop.engine;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;

/**
 * Takes the engine's log while it is open, so that faults made on purpose do not fill the
 * output of the build.
 */
final class EngineLog extends Handler implements AutoCloseable {

	// the log manager holds loggers weakly
	private final Logger logger = Logger.getLogger("dev.grpcloop.engine");

	private final List<LogRecord> records = new CopyOnWriteArrayList<>();

	EngineLog() {
		this.logger.addHandler(this);
		this.logger.setUseParentHandlers(false);
	}

	List<LogRecord> records() {
		return this.records;
	}

	List<String> messages() {
		return this.records.stream().map(LogRecord::getMessage).toList();
	}

	@Override
	public void publish(LogRecord record) {
		this.records.add(record);
	}

	@Override
	public void flush() {
	}

	@Override
	public void close() {
		this.logger.setUseParentHandlers(true);
		this.logger.removeHandler(this);
	}

}
