/**
 * The soak: all that clients, services, networks and operators do to a server, mixed, for
 * as long as one likes, with a checker of every call.
 */
@NullMarked
package dev.grpcloop.engine.soak;

import org.jspecify.annotations.NullMarked;
