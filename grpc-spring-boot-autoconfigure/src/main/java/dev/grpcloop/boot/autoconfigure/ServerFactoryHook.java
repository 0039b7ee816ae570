package dev.grpcloop.boot.autoconfigure;

import dev.grpcloop.boot.server.EventLoopGrpcServerFactory;

/**
 * Changes the factory of our servers before it makes one.
 */
@FunctionalInterface
interface ServerFactoryHook {

	/**
	 * Changes the factory.
	 * @param factory the factory
	 */
	void apply(EventLoopGrpcServerFactory factory);

}
