package dev.grpcloop.boot.test.autoconfigure;

import java.time.Duration;

import org.springframework.context.ApplicationEventPublisher;
import org.springframework.grpc.server.lifecycle.GrpcServerLifecycle;

/**
 * Starts and stops the server within the process. Calls that a test has left open do not
 * hold up the end of its context.
 */
final class TestGrpcServerLifecycle extends GrpcServerLifecycle {

	TestGrpcServerLifecycle(TestGrpcServerFactory factory, ApplicationEventPublisher events) {
		super(factory, Duration.ZERO, events);
	}

	/**
	 * As the server on the network, this one stays while its context waits in the cache
	 * for the next test.
	 */
	@Override
	public boolean isPauseable() {
		return false;
	}

}
