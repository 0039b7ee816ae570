package dev.grpcloop.engine.http2;

/**
 * What the server grants the peer of each connection.
 *
 * @param limits what it promises in SETTINGS
 * @param life how long the connection may live
 * @param abuse what it does not put up with
 */
public record ConnectionPolicy(ConnectionLimits limits, ConnectionLife life, AbuseLimits abuse) {
}
