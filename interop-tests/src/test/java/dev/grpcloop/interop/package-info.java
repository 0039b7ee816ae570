/**
 * Tests and clients that others wrote, run against the engine.
 */
@NullMarked
package dev.grpcloop.interop;

import org.jspecify.annotations.NullMarked;
