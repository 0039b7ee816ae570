package dev.grpcloop.engine.soak;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;

/**
 * What the engine has to say that it should not have to.
 */
final class FaultLog extends Handler implements AutoCloseable {

	// the log manager holds loggers weakly
	private final Logger logger = Logger.getLogger("dev.grpcloop.engine");

	private final List<String> faults = new CopyOnWriteArrayList<>();

	FaultLog() {
		this.logger.addHandler(this);
		this.logger.setUseParentHandlers(false);
	}

	List<String> faults() {
		return this.faults;
	}

	@Override
	public void publish(LogRecord record) {
		boolean scripted = record.getThrown() instanceof ServedScript.ScriptedException;
		// a loop that other work on the machine holds up looks like one that is blocked
		boolean slow = record.getMessage() != null && record.getMessage().contains("event loop for");
		if (record.getLevel().intValue() >= Level.WARNING.intValue() && !scripted && !slow) {
			this.faults.add(record.getMessage() + ": " + record.getThrown());
		}
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
