/**
 * The call path: routes, calls, context, and the hand-off to an executor.
 */
@NullMarked
package dev.grpcloop.engine.call;

import org.jspecify.annotations.NullMarked;
