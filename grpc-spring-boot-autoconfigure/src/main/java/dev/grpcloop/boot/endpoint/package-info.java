/**
 * The actuator's endpoint, health indicator and info contributor.
 */
@NullMarked
package dev.grpcloop.boot.endpoint;

import org.jspecify.annotations.NullMarked;
