/**
 * The auto-configuration: conditions, beans, properties and what a failed start says.
 */
@NullMarked
package dev.grpcloop.boot.autoconfigure;

import org.jspecify.annotations.NullMarked;
