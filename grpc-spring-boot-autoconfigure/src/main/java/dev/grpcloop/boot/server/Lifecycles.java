package dev.grpcloop.boot.server;

import io.grpc.Server;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;

import org.springframework.context.ApplicationEventPublisher;
import org.springframework.grpc.server.lifecycle.GrpcServerLifecycleEvent;

/**
 * What the lifecycles of all servers do alike.
 */
final class Lifecycles {

	private static final Log logger = LogFactory.getLog(Lifecycles.class);

	private Lifecycles() {
	}

	/**
	 * Keeps the Java virtual machine running for as long as a server does, in an
	 * application without a web server.
	 * @param server the server
	 * @param threadName the name of the thread that waits for its end
	 */
	static void keepAlive(Server server, String threadName) {
		Thread thread = new Thread(() -> {
			try {
				server.awaitTermination();
			}
			catch (InterruptedException ex) {
				Thread.currentThread().interrupt();
			}
		}, threadName);
		thread.setDaemon(false);
		thread.start();
	}

	/**
	 * Finishes a stop on a thread of its own, so that servers of one phase drain
	 * together.
	 * @param stop what is left to do
	 * @param callback told when it is done
	 */
	static void finishInBackground(Runnable stop, Runnable callback) {
		Thread thread = new Thread(() -> {
			try {
				stop.run();
			}
			finally {
				callback.run();
			}
		}, "grpc-server-shutdown");
		thread.setDaemon(true);
		thread.start();
	}

	/**
	 * Publishes an event of a stop. A listener that fails must not keep the server from
	 * stopping.
	 * @param events where
	 * @param event the event
	 */
	static void publishSafely(ApplicationEventPublisher events, GrpcServerLifecycleEvent event) {
		try {
			events.publishEvent(event);
		}
		catch (RuntimeException ex) {
			logger.warn("A listener of " + event.getClass().getSimpleName() + " failed", ex);
		}
	}

}
