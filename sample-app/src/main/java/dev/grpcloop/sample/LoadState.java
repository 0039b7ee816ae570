package dev.grpcloop.sample;

import org.jspecify.annotations.Nullable;

/**
 * What the page at {@code /} shows of the load.
 *
 * @param running whether there is load
 * @param secondsLeft when it ends by itself
 * @param ended how many calls have ended since it was turned on
 * @param port where the gRPC server listens, or {@code null} if it has no TCP port
 */
record LoadState(boolean running, long secondsLeft, long ended, @Nullable Integer port) {
}
