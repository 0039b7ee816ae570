/**
 * Drives load at servers in JVMs of their own and compares them.
 */
@NullMarked
package dev.grpcloop.benchmark;

import org.jspecify.annotations.NullMarked;
