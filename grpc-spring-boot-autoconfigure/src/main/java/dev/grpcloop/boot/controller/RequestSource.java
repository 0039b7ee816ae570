package dev.grpcloop.boot.controller;

import io.grpc.Status;

/**
 * Takes the requests of a call with many of them from its callbacks, and gives them to
 * the method.
 *
 * @param <Q> the type of the requests
 */
interface RequestSource<Q> {

	/**
	 * Asks for the first requests, where that is not the method's matter.
	 */
	void open();

	/**
	 * What the method gets.
	 */
	Object argument();

	/**
	 * A request has come.
	 */
	void add(Q request);

	/**
	 * The client has sent all its requests.
	 */
	void end();

	/**
	 * The call is over: nothing comes any more.
	 * @param status how
	 * @param interrupt interrupts the method; who waits for a request is woken after that
	 */
	void cancel(Status status, Runnable interrupt);

}
