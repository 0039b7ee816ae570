/**
 * The server's health, as gRPC's health service tells it.
 */
@NullMarked
package dev.grpcloop.boot.health;

import org.jspecify.annotations.NullMarked;
