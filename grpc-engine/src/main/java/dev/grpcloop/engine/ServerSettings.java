package dev.grpcloop.engine;

import java.net.SocketAddress;
import java.util.List;
import java.util.concurrent.Executor;

import dev.grpcloop.engine.http2.ConnectionLimits;
import dev.grpcloop.engine.telemetry.EngineTelemetry;
import dev.grpcloop.engine.transport.TransportSelection;
import io.grpc.CompressorRegistry;
import io.grpc.DecompressorRegistry;
import io.grpc.HandlerRegistry;
import io.grpc.ServerInterceptor;
import io.grpc.ServerServiceDefinition;
import io.netty.channel.IoEventLoopGroup;
import org.jspecify.annotations.Nullable;

/**
 * What a builder was told, when it built.
 *
 * @param addresses where to listen
 * @param services the services
 * @param interceptors run for every call, the last one first
 * @param fallback is asked for methods that no service has, or {@code null}
 * @param transport how to talk to the operating system
 * @param workers how many event loops
 * @param callersGroup the event loops, or {@code null} to make them
 * @param direct whether service code runs on the event loops
 * @param callersExecutor runs service code otherwise, or {@code null} to make one
 * @param limits what the server promises its peers
 * @param maxMessageSize the largest request message
 * @param compressors for responses
 * @param decompressors for requests
 * @param telemetry where the numbers go
 */
record ServerSettings(List<SocketAddress> addresses, List<ServerServiceDefinition> services,
		List<ServerInterceptor> interceptors, @Nullable HandlerRegistry fallback, TransportSelection transport,
		int workers, @Nullable IoEventLoopGroup callersGroup, boolean direct, @Nullable Executor callersExecutor,
		ConnectionLimits limits, int maxMessageSize, CompressorRegistry compressors, DecompressorRegistry decompressors,
		EngineTelemetry telemetry) {
}
