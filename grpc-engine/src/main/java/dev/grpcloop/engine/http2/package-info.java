/**
 * The HTTP/2 connection layer: connection, streams, flow control, header blocks.
 */
@NullMarked
package dev.grpcloop.engine.http2;

import org.jspecify.annotations.NullMarked;
