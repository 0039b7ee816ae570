/**
 * Requests are looked at before a service sees them: by the rules of {@code .proto} files
 * and by constraints of Jakarta Validation.
 */
@NullMarked
package dev.grpcloop.boot.validation;

import org.jspecify.annotations.NullMarked;
