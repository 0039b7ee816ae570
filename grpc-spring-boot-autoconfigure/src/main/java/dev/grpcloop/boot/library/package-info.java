/**
 * The libraries that the application has brought along, and whether they fit.
 */
@NullMarked
package dev.grpcloop.boot.library;

import org.jspecify.annotations.NullMarked;
