/**
 * Observations of calls: who makes them, and what their meters and spans say.
 */
@NullMarked
package dev.grpcloop.boot.observation;

import org.jspecify.annotations.NullMarked;
