package dev.grpcloop.engine.http2;

/**
 * What the server promises its peers in SETTINGS, and holds them to.
 *
 * @param maxConcurrentStreams the most streams a peer may have open
 * @param flowControlWindow the window of each stream and of the connection, in bytes
 * @param maxHeaderListSize the largest header list of a request, in bytes, counted as RFC
 * 9113 section 6.5.2 says
 */
public record ConnectionLimits(int maxConcurrentStreams, int flowControlWindow, int maxHeaderListSize) {
}
