/**
 * The server as Spring sees it: its factory, its services and its lifecycle.
 */
@NullMarked
package dev.grpcloop.boot.server;

import org.jspecify.annotations.NullMarked;
