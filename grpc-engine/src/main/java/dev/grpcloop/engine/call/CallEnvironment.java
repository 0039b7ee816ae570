package dev.grpcloop.engine.call;

import java.util.List;
import java.util.concurrent.Executor;

import dev.grpcloop.engine.telemetry.ExecutorTelemetry;
import io.grpc.CompressorRegistry;
import io.grpc.Context;
import io.grpc.DecompressorRegistry;
import io.grpc.ServerCallExecutorSupplier;
import io.grpc.ServerStreamTracer;
import org.jspecify.annotations.Nullable;

/**
 * What all calls of a server share. Immutable.
 *
 * @param registry the methods
 * @param executor runs the service code that does not run on the event loop; {@code null}
 * if all does
 * @param executorSupplier chooses another executor call by call, or {@code null}
 * @param rootContext the parent of every call's context
 * @param compressors what responses can be compressed with
 * @param decompressors what requests can be compressed with
 * @param maxMessageSize the largest request message, in bytes, plain or decompressed
 * @param maxBufferedPerCall how many bytes of responses a call may hold unsent
 * @param tracerFactories make the tracers of each call
 * @param executorTelemetry hears of what is handed to the executors
 */
public record CallEnvironment(MethodRegistry registry, @Nullable Executor executor,
		@Nullable ServerCallExecutorSupplier executorSupplier, Context rootContext, CompressorRegistry compressors,
		DecompressorRegistry decompressors, int maxMessageSize, int maxBufferedPerCall,
		List<ServerStreamTracer.Factory> tracerFactories, ExecutorTelemetry executorTelemetry) {
}
