package dev.grpcloop.engine;

import java.util.Arrays;
import java.util.stream.Collectors;

import dev.grpcloop.engine.transport.Transport;
import dev.grpcloop.engine.transport.TransportSelection;
import org.jspecify.annotations.Nullable;

/**
 * How the event loops talk to the operating system.
 */
public enum Backend {

	/**
	 * The best that is there: epoll on Linux, kqueue on macOS and BSD, else nio. io_uring
	 * is used only when asked for, since many container run-times forbid it and small
	 * calls gain nothing from it.
	 */
	AUTO(null),

	/** Java's selector: everywhere. */
	NIO(Transport.NIO),

	/** Linux epoll. */
	EPOLL(Transport.EPOLL),

	/** BSD and macOS kqueue. */
	KQUEUE(Transport.KQUEUE),

	/** Linux io_uring. */
	IO_URING(Transport.IO_URING);

	private final @Nullable Transport transport;

	Backend(@Nullable Transport transport) {
		this.transport = transport;
	}

	/**
	 * Whether this backend can be used on this machine.
	 * @return whether it can; always for {@link #AUTO} and {@link #NIO}
	 */
	public boolean isAvailable() {
		return this.transport == null || this.transport.unavailabilityCause() == null;
	}

	/**
	 * Decides what to use.
	 * @throws BackendUnavailableException if this backend was named and is not there
	 */
	TransportSelection select() {
		if (this.transport == null) {
			return TransportSelection.best();
		}
		Throwable cause = this.transport.unavailabilityCause();
		if (cause != null) {
			throw new BackendUnavailableException(this,
					"The backend " + this.transport.displayName() + " is not available here: "
							+ TransportSelection.rootMessage(cause) + ". Available: " + available()
							+ ". Use one of these, or auto.",
					cause);
		}
		return new TransportSelection(this.transport, "it was asked for");
	}

	private static String available() {
		return Arrays.stream(Transport.values())
			.filter((candidate) -> candidate.unavailabilityCause() == null)
			.map(Transport::displayName)
			.collect(Collectors.joining(", "));
	}

	static Backend of(Transport transport) {
		return Arrays.stream(values()).filter((backend) -> backend.transport == transport).findFirst().orElseThrow();
	}

}
