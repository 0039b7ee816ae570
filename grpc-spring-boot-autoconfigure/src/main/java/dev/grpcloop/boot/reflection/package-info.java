/**
 * What tools may ask a server about its services.
 */
@NullMarked
package dev.grpcloop.boot.reflection;

import org.jspecify.annotations.NullMarked;
