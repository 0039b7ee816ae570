/**
 * What the engine counts, kept so that any thread can read it at any time without a lock.
 * Knows no metrics library: meters, the actuator endpoint and the page of it read the
 * same numbers.
 */
@NullMarked
package dev.grpcloop.boot.statistics;

import org.jspecify.annotations.NullMarked;
