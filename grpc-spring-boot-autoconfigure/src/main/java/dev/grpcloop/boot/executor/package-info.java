/**
 * Where service code runs.
 */
@NullMarked
package dev.grpcloop.boot.executor;

import org.jspecify.annotations.NullMarked;
