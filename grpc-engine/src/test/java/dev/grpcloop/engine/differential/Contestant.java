package dev.grpcloop.engine.differential;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.concurrent.Executor;

import dev.grpcloop.engine.EventLoopServerBuilder;
import io.grpc.ServerBuilder;
import io.grpc.netty.NettyServerBuilder;

/**
 * A server to compare.
 */
enum Contestant {

	GRPC_JAVA_DIRECT, GRPC_JAVA_EXECUTOR, ENGINE_ON_THE_LOOP, ENGINE_OFF_THE_LOOP;

	ServerBuilder<?> builder(Executor executor) throws IOException {
		InetSocketAddress address = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
		ServerBuilder<?> builder = isEngine() ? EventLoopServerBuilder.forAddress(address).workers(1)
				: NettyServerBuilder.forAddress(address);
		boolean direct = this == GRPC_JAVA_DIRECT || this == ENGINE_ON_THE_LOOP;
		return direct ? builder.directExecutor() : builder.executor(executor);
	}

	boolean isEngine() {
		return this == ENGINE_ON_THE_LOOP || this == ENGINE_OFF_THE_LOOP;
	}

}
