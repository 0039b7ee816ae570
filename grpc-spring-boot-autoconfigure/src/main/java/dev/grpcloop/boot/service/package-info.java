/**
 * The gRPC services among the beans of an application: how they are found, bound and
 * intercepted.
 */
@NullMarked
package dev.grpcloop.boot.service;

import org.jspecify.annotations.NullMarked;
