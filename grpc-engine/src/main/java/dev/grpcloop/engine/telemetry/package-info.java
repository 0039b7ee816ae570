/**
 * The hook through which numbers leave the engine.
 */
@NullMarked
package dev.grpcloop.engine.telemetry;

import org.jspecify.annotations.NullMarked;
