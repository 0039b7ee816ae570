/**
 * An application to test.
 */
@NullMarked
package dev.grpcloop.boot.test.sample;

import org.jspecify.annotations.NullMarked;
