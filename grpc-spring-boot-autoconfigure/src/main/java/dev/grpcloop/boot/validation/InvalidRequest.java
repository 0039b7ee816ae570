package dev.grpcloop.boot.validation;

import java.util.List;

import com.google.protobuf.Any;
import com.google.rpc.BadRequest;
import com.google.rpc.BadRequest.FieldViolation;
import com.google.rpc.Code;
import com.google.rpc.Status;
import io.grpc.Metadata;
import io.grpc.ServerCall;
import io.grpc.StatusException;
import io.grpc.protobuf.StatusProto;

/**
 * {@code INVALID_ARGUMENT} with what is wrong, as {@code google.rpc.BadRequest}. Clients
 * take no more than 8 KiB of trailers by default, so violations are left out beyond a
 * certain size, and long texts cut: a key of a map is as long as its sender likes.
 */
final class InvalidRequest {

	/** Of the violations, in bytes; in the trailers it is a third more. */
	private static final int MAX_DETAILS = 3 * 1024;

	private static final int MAX_TEXT = 256;

	private InvalidRequest() {
	}

	/**
	 * Makes the status.
	 * @param violations at least one
	 * @return the status, with its trailers
	 */
	static StatusException of(List<RequestViolation> violations) {
		BadRequest.Builder details = BadRequest.newBuilder();
		int size = 0;
		for (RequestViolation violation : violations) {
			FieldViolation field = fieldViolation(violation);
			size += field.getSerializedSize();
			if (size > MAX_DETAILS && details.getFieldViolationsCount() > 0) {
				break;
			}
			details.addFieldViolations(field);
		}
		return StatusProto.toStatusException(Status.newBuilder()
			.setCode(Code.INVALID_ARGUMENT_VALUE)
			.setMessage(message(details.getFieldViolationsList(), violations.size()))
			.addDetails(Any.pack(details.build()))
			.build());
	}

	/**
	 * Ends a call.
	 * @param call the call
	 * @param status made here
	 */
	static void close(ServerCall<?, ?> call, StatusException status) {
		Metadata trailers = status.getTrailers();
		call.close(status.getStatus(), (trailers != null) ? trailers : new Metadata());
	}

	/** What people see who do not look at the details. */
	private static String message(List<FieldViolation> fields, int violations) {
		StringBuilder message = new StringBuilder("Invalid request: ");
		int told = 0;
		for (FieldViolation field : fields) {
			String text = (field.getField().isEmpty() ? "" : field.getField() + ": ") + field.getDescription();
			if (told > 0 && message.length() + text.length() > MAX_TEXT) {
				break;
			}
			message.append((told > 0) ? "; " : "").append(text);
			told++;
		}
		int others = violations - told;
		return cut(message.toString()) + ((others > 0) ? "; and " + others + " more" : "");
	}

	private static FieldViolation fieldViolation(RequestViolation violation) {
		return FieldViolation.newBuilder()
			.setField(cut(violation.field()))
			.setDescription(cut(violation.description()))
			.setReason(violation.reason())
			.build();
	}

	private static String cut(String text) {
		if (text.length() <= MAX_TEXT) {
			return text;
		}
		int end = Character.isHighSurrogate(text.charAt(MAX_TEXT - 1)) ? MAX_TEXT - 1 : MAX_TEXT;
		return text.substring(0, end) + "…";
	}

}
