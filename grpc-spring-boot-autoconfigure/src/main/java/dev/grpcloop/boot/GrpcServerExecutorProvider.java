package dev.grpcloop.boot;

import java.util.concurrent.Executor;

/**
 * Brings the executor of service code: a bean of this type replaces the threads that
 * {@code grpc.server.executor.mode} would choose. A bean that is an executor, and nothing
 * more, is left alone: it is somebody else's. {@link NonBlocking} methods run on the
 * event loops all the same.
 */
@FunctionalInterface
public interface GrpcServerExecutorProvider {

	/**
	 * Returns the executor. Asked at each start of a server, which does not shut it down:
	 * it is the application's. A call that it rejects ends with RESOURCE_EXHAUSTED.
	 * @return the executor
	 */
	Executor getExecutor();

}
