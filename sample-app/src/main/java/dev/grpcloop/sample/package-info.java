/**
 * An application that serves gRPC with the grpcloop starter.
 */
@NullMarked
package dev.grpcloop.sample;

import org.jspecify.annotations.NullMarked;
