/**
 * What becomes of the exceptions of services: handlers of the application, then what is
 * known of Spring's exceptions, then {@code UNKNOWN} and a line in the log.
 */
@NullMarked
package dev.grpcloop.boot.exception;

import org.jspecify.annotations.NullMarked;
