/**
 * The keys that an application sets: which are known, and what was meant by the others.
 */
@NullMarked
package dev.grpcloop.boot.keys;

import org.jspecify.annotations.NullMarked;
