package dev.grpcloop.engine.call;

import io.grpc.Metadata;
import org.jspecify.annotations.Nullable;

/**
 * What the headers of a request said.
 *
 * @param metadata the metadata, for this call alone
 * @param encoding how its messages may be compressed (grpc-encoding), or {@code null}
 * @param acceptEncoding how responses may be compressed (grpc-accept-encoding), or
 * {@code null}
 * @param timeoutNanos how long the client waits (grpc-timeout), or -1 if it does not say
 * @param arrivalNanos when the headers arrived, as {@link System#nanoTime()} tells
 */
public record CallRequest(Metadata metadata, @Nullable String encoding, @Nullable String acceptEncoding,
		long timeoutNanos, long arrivalNanos) {
}
