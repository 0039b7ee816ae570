package dev.grpcloop.boot.exception;

import com.google.rpc.Status;
import io.grpc.protobuf.StatusProto;

/**
 * What needs {@code grpc-protobuf}, which may not be there.
 */
final class RichStatus {

	private RichStatus() {
	}

	/**
	 * Makes an exception of a status with details.
	 * @param answer what a method returned
	 * @return the exception, or the answer if it is something else
	 */
	static Object unwrap(Object answer) {
		return (answer instanceof Status status) ? StatusProto.toStatusException(status) : answer;
	}

}
