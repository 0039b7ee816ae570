/**
 * The same calls against grpc-java's server and against the engine, compared.
 */
@NullMarked
package dev.grpcloop.engine.differential;

import org.jspecify.annotations.NullMarked;
