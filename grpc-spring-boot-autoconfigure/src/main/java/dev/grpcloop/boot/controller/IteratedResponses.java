package dev.grpcloop.boot.controller;

import java.util.Iterator;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;

import io.grpc.Status;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

/**
 * The responses that an iterator or a stream gives. It is asked by one thread at a time,
 * for as long as the call is ready; when it is not, the thread goes, and one comes back
 * when it is. In the end it is closed, once.
 */
final class IteratedResponses implements Responding {

	private static final Log logger = LogFactory.getLog(IteratedResponses.class);

	private final Runner runner;

	private final CallResponses<?> responses;

	private final AutoCloseable source;

	/** How often someone had a reason to ask; whoever takes it from 0 does. */
	private final AtomicInteger signals = new AtomicInteger();

	private volatile boolean cancelled;

	// whoever asks

	private @Nullable Iterator<?> iterator;

	private boolean closed;

	private IteratedResponses(@Nullable Iterator<?> iterator, AutoCloseable source, CallResponses<?> responses,
			Runner runner) {
		this.iterator = iterator;
		this.source = source;
		this.responses = responses;
		this.runner = runner;
	}

	static IteratedResponses of(Iterator<?> iterator, CallResponses<?> responses, Runner runner) {
		AutoCloseable source = (iterator instanceof AutoCloseable closeable) ? closeable : () -> {
		};
		return new IteratedResponses(iterator, source, responses, runner);
	}

	static IteratedResponses of(Stream<?> stream, CallResponses<?> responses, Runner runner) {
		return new IteratedResponses(null, stream, responses, runner);
	}

	/**
	 * Begins in this thread, where the runner runs the method already.
	 */
	void begin() {
		if (this.signals.getAndIncrement() == 0) {
			run();
		}
	}

	@Override
	public void ready() {
		if (this.signals.getAndIncrement() == 0) {
			try {
				this.runner.execute(this::run);
			}
			catch (RejectedExecutionException ex) {
				rejected();
			}
		}
	}

	private void rejected() {
		this.responses.refuse(
				Status.RESOURCE_EXHAUSTED.withDescription("The server has no thread for the responses of the call"));
		close();
	}

	/**
	 * Runs while there is a reason to, which is never on two threads at once.
	 */
	void run() {
		int seen = this.signals.get();
		do {
			sendAll();
			seen = this.signals.addAndGet(-seen);
		}
		while (seen != 0);
	}

	private void sendAll() {
		try {
			while (!this.closed && !this.cancelled && this.responses.call().isReady()) {
				sendNext();
			}
		}
		catch (Throwable ex) {
			closeAfter(ex);
			this.responses.fail(ex);
		}
		if (this.cancelled) {
			close();
		}
	}

	private void sendNext() throws Exception {
		Iterator<?> iterator = iterator();
		if (iterator.hasNext()) {
			Object next = iterator.next();
			if (!this.cancelled && !this.responses.send(next)) {
				close();
			}
		}
		else {
			this.closed = true;
			this.source.close();
			this.responses.complete();
		}
	}

	private Iterator<?> iterator() {
		Iterator<?> iterator = this.iterator;
		if (iterator == null) {
			iterator = ((Stream<?>) this.source).iterator();
			this.iterator = iterator;
		}
		return iterator;
	}

	private void closeAfter(Throwable failure) {
		if (!this.closed) {
			this.closed = true;
			try {
				this.source.close();
			}
			catch (Throwable ex) {
				failure.addSuppressed(ex);
			}
		}
	}

	private void close() {
		if (!this.closed) {
			this.closed = true;
			try {
				this.source.close();
			}
			catch (Throwable ex) {
				logger.warn("Failed to close what a method has returned", ex);
			}
		}
	}

	/**
	 * {@inheritDoc} Whoever asks at the moment closes what it asks, when it has come
	 * back.
	 */
	@Override
	public void cancel() {
		this.cancelled = true;
		if (this.signals.getAndIncrement() == 0) {
			run();
		}
		else {
			this.runner.interrupt();
		}
	}

}
