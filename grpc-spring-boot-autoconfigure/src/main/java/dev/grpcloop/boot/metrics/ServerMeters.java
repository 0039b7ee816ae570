package dev.grpcloop.boot.metrics;

import dev.grpcloop.engine.EventLoopServer;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.binder.BaseUnits;
import org.jspecify.annotations.Nullable;

import org.springframework.context.ApplicationListener;
import org.springframework.grpc.server.lifecycle.GrpcServerStartedEvent;

/**
 * Writes what a server as a whole tells of itself to a Micrometer registry:
 * {@code grpc.engine.buffered.bytes}, the bytes that it holds for its clients.
 * <p>
 * One instance serves one server at a time, the one that has started last.
 */
public final class ServerMeters implements ApplicationListener<GrpcServerStartedEvent> {

	private volatile @Nullable EventLoopServer server;

	/**
	 * Registers the meters.
	 * @param registry where
	 */
	public ServerMeters(MeterRegistry registry) {
		Gauge.builder("grpc.engine.buffered.bytes", this, ServerMeters::bufferedBytes)
			.description("Bytes held for clients: requests not taken, responses not sent, connections and calls")
			.baseUnit(BaseUnits.BYTES)
			.register(registry);
	}

	@Override
	public void onApplicationEvent(GrpcServerStartedEvent event) {
		// an in-process server beside ours has events of the same type
		if (event.getServer() instanceof EventLoopServer eventLoopServer) {
			this.server = eventLoopServer;
		}
	}

	private double bufferedBytes() {
		EventLoopServer current = this.server;
		return (current != null) ? current.getBufferedBytes() : 0;
	}

}
