package dev.grpcloop.boot.accesslog;

import java.util.function.Consumer;
import java.util.function.LongSupplier;

import dev.grpcloop.engine.telemetry.CallTracerFactory;
import io.grpc.Attributes;
import io.grpc.Grpc;
import io.grpc.Metadata;
import io.grpc.ServerStreamTracer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.spi.LoggingEventBuilder;

/**
 * Writes a line for each call to the logger {@value #LOGGER}, at INFO. It is written on a
 * thread of its own; calls that end while too many lines wait are counted and left out.
 * The fields are key-value pairs of the event too, for structured logging.
 */
public final class AccessLog extends CallTracerFactory implements AutoCloseable {

	/** The name of the logger. */
	public static final String LOGGER = "grpc.access";

	private static final ServerStreamTracer NOOP = new ServerStreamTracer() {
	};

	private final Logger logger = LoggerFactory.getLogger(LOGGER);

	private final AccessLogQueue queue;

	/**
	 * Begins a log.
	 * @param format what a line looks like
	 * @param queueCapacity how many lines may wait, at least 1
	 */
	public AccessLog(AccessLogFormat format, int queueCapacity) {
		this.queue = new AccessLogQueue(queueCapacity, writer(format));
	}

	private Consumer<CallRecord> writer(AccessLogFormat format) {
		return (call) -> {
			LoggingEventBuilder event = this.logger.atInfo();
			call.fields().forEach(event::addKeyValue);
			event.log(format.line(call));
		};
	}

	/**
	 * Returns how many calls are not in the log: too many lines waited, or the log could
	 * not be written.
	 * @return tells the number, which never falls; it refers to nothing but that
	 */
	public LongSupplier dropped() {
		return this.queue.dropped();
	}

	@Override
	public ServerStreamTracer newServerStreamTracer(String fullMethodName, Metadata headers) {
		return newServerStreamTracer(fullMethodName, headers, Attributes.EMPTY);
	}

	@Override
	public ServerStreamTracer newServerStreamTracer(String fullMethodName, Metadata headers, Attributes transport) {
		if (!this.logger.isInfoEnabled()) {
			return NOOP;
		}
		return new AccessLogTracer(this.queue::add, fullMethodName, headers,
				transport.get(Grpc.TRANSPORT_ATTR_REMOTE_ADDR));
	}

	/**
	 * Writes what waits, and ends.
	 */
	@Override
	public void close() {
		this.queue.close();
	}

}
