package dev.grpcloop.boot.validation;

import java.util.List;

import com.google.protobuf.InvalidProtocolBufferException;
import com.google.rpc.BadRequest;
import com.google.rpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.protobuf.StatusProto;

/**
 * What a client reads of a call that ended because of its request.
 */
final class BadRequests {

	private BadRequests() {
	}

	/**
	 * Reads the violations.
	 * @param told what the client got
	 * @return each as {@code field (reason) description}
	 */
	static List<String> of(Throwable told) {
		return details(told).getFieldViolationsList()
			.stream()
			.map((violation) -> violation.getField() + " (" + violation.getReason() + ") " + violation.getDescription())
			.toList();
	}

	static BadRequest details(Throwable told) {
		if (!(told instanceof StatusRuntimeException ex)
				|| ex.getStatus().getCode() != io.grpc.Status.Code.INVALID_ARGUMENT) {
			throw new AssertionError("not refused as invalid", told);
		}
		Status status = StatusProto.fromThrowable(told);
		try {
			return status.getDetails(0).unpack(BadRequest.class);
		}
		catch (InvalidProtocolBufferException ex2) {
			throw new AssertionError(ex2);
		}
	}

}
