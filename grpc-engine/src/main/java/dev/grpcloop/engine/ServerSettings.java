package dev.grpcloop.engine;

import java.net.SocketAddress;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.function.Predicate;

import dev.grpcloop.engine.http2.ConnectionPolicy;
import dev.grpcloop.engine.telemetry.EngineTelemetry;
import dev.grpcloop.engine.transport.TransportSelection;
import io.grpc.CompressorRegistry;
import io.grpc.DecompressorRegistry;
import io.grpc.HandlerRegistry;
import io.grpc.MethodDescriptor;
import io.grpc.ServerCallExecutorSupplier;
import io.grpc.ServerInterceptor;
import io.grpc.ServerServiceDefinition;
import io.grpc.ServerStreamTracer;
import io.grpc.ServerTransportFilter;
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
 * @param onEventLoop which methods run on the event loops
 * @param direct whether methods run there unless something else is said
 * @param callersExecutor runs service code otherwise, or {@code null} to make one
 * @param executorSupplier chooses another executor call by call, or {@code null}
 * @param blockedThresholdNanos how long service code may hold an event loop; 0 to not
 * look
 * @param policy what the server grants its peers
 * @param maxMessageSize the largest request message
 * @param maxBufferedPerCall how many bytes of responses a call may hold unsent
 * @param maxBufferedBytes how many bytes the server may hold for its clients
 * @param compressors for responses
 * @param decompressors for requests
 * @param transportFilters hear of connections
 * @param tracerFactories make the tracers of each call
 * @param telemetry where the numbers go
 */
record ServerSettings(List<SocketAddress> addresses, List<ServerServiceDefinition> services,
		List<ServerInterceptor> interceptors, @Nullable HandlerRegistry fallback, TransportSelection transport,
		int workers, @Nullable IoEventLoopGroup callersGroup, Predicate<MethodDescriptor<?, ?>> onEventLoop,
		boolean direct, @Nullable Executor callersExecutor, @Nullable ServerCallExecutorSupplier executorSupplier,
		long blockedThresholdNanos, ConnectionPolicy policy, int maxMessageSize, int maxBufferedPerCall,
		long maxBufferedBytes, CompressorRegistry compressors, DecompressorRegistry decompressors,
		List<ServerTransportFilter> transportFilters, List<ServerStreamTracer.Factory> tracerFactories,
		EngineTelemetry telemetry) {
}
