/**
 * Pure codecs of the gRPC protocol: messages, metadata, status.
 */
@NullMarked
package dev.grpcloop.engine.message;

import org.jspecify.annotations.NullMarked;
