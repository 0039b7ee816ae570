/**
 * What a service says of itself.
 */
@NullMarked
package dev.grpcloop.boot;

import org.jspecify.annotations.NullMarked;
