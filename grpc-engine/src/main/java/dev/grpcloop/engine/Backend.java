package dev.grpcloop.engine;

/**
 * How the event loops talk to the operating system.
 */
public enum Backend {

	/** The best that is there: io_uring is never chosen unasked, see the server's log. */
	AUTO,

	/** Java's selector: everywhere. */
	NIO,

	/** Linux epoll. */
	EPOLL,

	/** BSD and macOS kqueue. */
	KQUEUE,

	/** Linux io_uring. */
	IO_URING

}
