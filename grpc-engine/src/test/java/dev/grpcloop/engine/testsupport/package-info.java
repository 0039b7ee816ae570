/**
 * What the tests of all modules need. It travels in the test jar.
 */
@NullMarked
package dev.grpcloop.engine.testsupport;

import org.jspecify.annotations.NullMarked;
