package dev.grpcloop.engine.transport;

import java.util.ArrayList;
import java.util.List;

import io.netty.channel.IoEventLoopGroup;

/**
 * The transport in use, and why.
 *
 * @param transport the transport
 * @param reason one sentence for the log
 */
public record TransportSelection(Transport transport, String reason) {

	/**
	 * Takes the best transport that is there: epoll, kqueue, nio, in this order. io_uring
	 * is taken only when asked for: it is no faster for small calls, and many container
	 * run-times forbid its system calls.
	 * @return the selection
	 */
	public static TransportSelection best() {
		List<String> missing = new ArrayList<>();
		for (Transport candidate : List.of(Transport.EPOLL, Transport.KQUEUE)) {
			Throwable cause = candidate.unavailabilityCause();
			if (cause == null) {
				return new TransportSelection(candidate, "the native transport of this platform is available");
			}
			missing.add(candidate.displayName() + ": " + rootMessage(cause));
		}
		return new TransportSelection(Transport.NIO,
				"no native transport is available (" + String.join("; ", missing) + ")");
	}

	/**
	 * Returns the selection for an event loop group that the caller brought.
	 * @param group the group
	 * @return the transport whose I/O handler the group runs
	 * @throws IllegalArgumentException if it runs none that the engine knows
	 */
	public static TransportSelection of(IoEventLoopGroup group) {
		for (Transport candidate : Transport.values()) {
			if (candidate.unavailabilityCause() == null && candidate.drives(group)) {
				return new TransportSelection(candidate, "it drives the event loop group that was given");
			}
		}
		throw new IllegalArgumentException(
				"The event loop group " + group + " runs none of the I/O handlers the server "
						+ "knows: NioIoHandler, EpollIoHandler, KQueueIoHandler, IoUringIoHandler");
	}

	/**
	 * Returns the message of the deepest cause, which is the one that tells.
	 * @param cause an unavailability cause
	 * @return one line
	 */
	public static String rootMessage(Throwable cause) {
		Throwable root = cause;
		while (root.getCause() != null) {
			root = root.getCause();
		}
		String message = root.getMessage();
		if (root instanceof LinkageError && !(root instanceof UnsatisfiedLinkError)) {
			return "its jar is not on the class path (" + message + ")";
		}
		return (message != null) ? message.lines().findFirst().orElse(message) : root.getClass().getName();
	}

}
