/**
 * A gRPC server on Netty event loops: the public door of the engine.
 */
@NullMarked
package dev.grpcloop.engine;

import org.jspecify.annotations.NullMarked;
