package dev.grpcloop.engine.call;

import java.util.concurrent.Executor;

import io.grpc.CompressorRegistry;
import io.grpc.Context;
import io.grpc.DecompressorRegistry;
import org.jspecify.annotations.Nullable;

/**
 * What all calls of a server share. Immutable.
 *
 * @param registry the methods
 * @param executor runs service code, or {@code null} to run it on the event loop
 * @param rootContext the parent of every call's context
 * @param compressors what responses can be compressed with
 * @param decompressors what requests can be compressed with
 * @param maxMessageSize the largest request message, in bytes, plain or decompressed
 */
public record CallEnvironment(MethodRegistry registry, @Nullable Executor executor, Context rootContext,
		CompressorRegistry compressors, DecompressorRegistry decompressors, int maxMessageSize) {
}
