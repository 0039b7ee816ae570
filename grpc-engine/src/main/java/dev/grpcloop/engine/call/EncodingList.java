package dev.grpcloop.engine.call;

import org.jspecify.annotations.Nullable;

/**
 * A grpc-accept-encoding header: names of message encodings, separated by commas.
 */
final class EncodingList {

	private EncodingList() {
	}

	static boolean contains(@Nullable String list, String encoding) {
		if (list == null) {
			return false;
		}
		for (String candidate : list.split(",")) {
			if (candidate.trim().equals(encoding)) {
				return true;
			}
		}
		return false;
	}

}
