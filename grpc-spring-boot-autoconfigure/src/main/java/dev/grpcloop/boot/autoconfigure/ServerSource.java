package dev.grpcloop.boot.autoconfigure;

import java.util.function.Supplier;

import dev.grpcloop.boot.server.EventLoopGrpcServerLifecycle;
import dev.grpcloop.boot.server.ObservedServer;
import org.jspecify.annotations.Nullable;

import org.springframework.beans.factory.ObjectProvider;

/**
 * Gives the server when it is asked for: those who show it are made before it is, and its
 * lifecycle needs some of them.
 */
final class ServerSource {

	private ServerSource() {
	}

	static Supplier<@Nullable ObservedServer> of(ObjectProvider<EventLoopGrpcServerLifecycle> lifecycle) {
		return () -> {
			EventLoopGrpcServerLifecycle made = lifecycle.getIfAvailable();
			return (made != null) ? made.observe() : null;
		};
	}

}
