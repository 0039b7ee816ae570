package dev.grpcloop.boot.controller;

/**
 * What is bound to the thread of a callback and has to be bound to the thread of a task
 * that goes on with the call.
 */
interface CallerContext {

	/**
	 * Takes what is bound to this thread.
	 * @return what binds it to another
	 */
	Scope capture();

	/**
	 * Takes more.
	 * @param inner what is bound inside of this
	 * @return both
	 */
	default CallerContext and(CallerContext inner) {
		return () -> {
			Scope outerScope = capture();
			Scope innerScope = inner.capture();
			return (work) -> outerScope.run(() -> innerScope.run(work));
		};
	}

	/**
	 * What was bound to a thread.
	 */
	interface Scope {

		/**
		 * Runs something with it.
		 */
		void run(Runnable work);

	}

}
