package dev.grpcloop.boot.testsupport;

import java.util.List;

import dev.grpcloop.engine.EventLoopServer;
import org.jspecify.annotations.Nullable;

import org.springframework.context.ApplicationContext;
import org.springframework.context.ApplicationListener;
import org.springframework.grpc.server.lifecycle.GrpcServerStartedEvent;

/**
 * The server that an application has started last.
 */
public final class StartedServer implements ApplicationListener<GrpcServerStartedEvent> {

	private volatile @Nullable EventLoopServer server;

	@Override
	public void onApplicationEvent(GrpcServerStartedEvent event) {
		if (event.getServer() instanceof EventLoopServer started) {
			this.server = started;
		}
	}

	public static EventLoopServer of(ApplicationContext context) {
		EventLoopServer server = context.getBean(StartedServer.class).server;
		if (server == null) {
			throw new IllegalStateException("No server was started");
		}
		return server;
	}

	public static List<String> services(ApplicationContext context) {
		return of(context).getServices().stream().map((service) -> service.getServiceDescriptor().getName()).toList();
	}

}
