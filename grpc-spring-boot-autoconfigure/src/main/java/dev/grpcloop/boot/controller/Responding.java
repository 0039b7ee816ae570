package dev.grpcloop.boot.controller;

/**
 * The responses of a call that a method has left behind when it returned. All methods may
 * be called on any thread.
 */
interface Responding {

	/** All is said. */
	Responding DONE = new Responding() {
	};

	/**
	 * The call may take more.
	 */
	default void ready() {
	}

	/**
	 * Nobody waits for more. May be called more than once.
	 */
	default void cancel() {
	}

}
