package dev.grpcloop.interop;

import dev.grpcloop.engine.EventLoopServerBuilder;

/**
 * Where service code runs.
 */
enum Mode {

	/** On the event loop. */
	ON_THE_LOOP {

		@Override
		EventLoopServerBuilder apply(EventLoopServerBuilder builder) {
			return builder.directExecutor();
		}

	},

	/** On the server's own pool. */
	OFF_THE_LOOP {

		@Override
		EventLoopServerBuilder apply(EventLoopServerBuilder builder) {
			return builder.executor(null);
		}

	};

	abstract EventLoopServerBuilder apply(EventLoopServerBuilder builder);

}
