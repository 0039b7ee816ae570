/**
 * Tests as a user writes them, in an application as a user has it.
 */
@NullMarked
package dev.grpcloop.boot.test.autoconfigure;

import org.jspecify.annotations.NullMarked;
