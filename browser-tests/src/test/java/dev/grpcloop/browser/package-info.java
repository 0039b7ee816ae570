/**
 * The sample application and its dashboard in a real browser.
 */
@NullMarked
package dev.grpcloop.browser;

import org.jspecify.annotations.NullMarked;
