package dev.grpcloop.engine.http2;

import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;

import org.jspecify.annotations.Nullable;

/**
 * Reads {@code grpc-message} with the JDK's decoder, which shares no code with the
 * engine's.
 */
final class StatusText {

	private StatusText() {
	}

	static @Nullable String decode(@Nullable String value) {
		return (value != null) ? URLDecoder.decode(value.replace("+", "%2B"), StandardCharsets.UTF_8) : null;
	}

}
