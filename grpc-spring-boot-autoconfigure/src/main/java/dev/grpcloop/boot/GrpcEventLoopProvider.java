package dev.grpcloop.boot;

import io.netty.channel.IoEventLoopGroup;

/**
 * Brings the event loops of the gRPC server: a bean of this type replaces those that the
 * server would make, {@code grpc.server.backend} and {@code grpc.server.workers} with
 * them. A bean that is an event loop group, and nothing more, is left alone: it is
 * somebody else's.
 */
@FunctionalInterface
public interface GrpcEventLoopProvider {

	/**
	 * Returns the event loops. Asked at each start of a server, which does not close
	 * them: they are the application's, to be closed after the server has stopped.
	 * @return the event loops; of one of the transports nio, epoll, kqueue and io_uring
	 */
	IoEventLoopGroup getEventLoopGroup();

}
