/**
 * What tests of gRPC services need: the port of the server, clients of it, a transport
 * without a network, and a slice of the application that has only its gRPC services.
 */
@NullMarked
package dev.grpcloop.boot.test.autoconfigure;

import org.jspecify.annotations.NullMarked;
