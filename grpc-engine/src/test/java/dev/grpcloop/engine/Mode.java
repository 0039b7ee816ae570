package dev.grpcloop.engine;

/**
 * Where service code runs.
 */
enum Mode {

	/** On the event loop. */
	ON_THE_LOOP {

		@Override
		void apply(EventLoopServerBuilder builder) {
			builder.directExecutor();
		}

	},

	/** On the server's own pool. */
	OFF_THE_LOOP {

		@Override
		void apply(EventLoopServerBuilder builder) {
			builder.executor(null);
		}

	};

	abstract void apply(EventLoopServerBuilder builder);

}
