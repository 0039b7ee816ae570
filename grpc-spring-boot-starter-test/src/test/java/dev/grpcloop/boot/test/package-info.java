/**
 * Tests of the documents.
 */
@NullMarked
package dev.grpcloop.boot.test;

import org.jspecify.annotations.NullMarked;
