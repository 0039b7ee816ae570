/**
 * The transports: what is there, why not, event loops and channel factories.
 */
@NullMarked
package dev.grpcloop.engine.transport;

import org.jspecify.annotations.NullMarked;
