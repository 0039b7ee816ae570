/**
 * The engine's numbers as Micrometer meters.
 */
@NullMarked
package dev.grpcloop.boot.metrics;

import org.jspecify.annotations.NullMarked;
