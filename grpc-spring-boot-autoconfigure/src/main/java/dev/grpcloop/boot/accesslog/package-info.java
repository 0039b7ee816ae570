/**
 * A line in a log for each call.
 */
@NullMarked
package dev.grpcloop.boot.accesslog;

import org.jspecify.annotations.NullMarked;
