package dev.grpcloop.engine.http2;

import dev.grpcloop.engine.telemetry.Refusal;
import io.grpc.Status;
import io.netty.util.AsciiString;
import org.jspecify.annotations.Nullable;

/**
 * Whether a request is one of gRPC (gRPC over HTTP/2, "Request-Headers"; cases B09, B10,
 * B11).
 */
final class RequestCheck {

	private static final AsciiString POST = AsciiString.cached("POST");

	private static final AsciiString GRPC = AsciiString.cached("application/grpc");

	private static final int LONGEST_TOLD = 256;

	private RequestCheck() {
	}

	/**
	 * Checks a request that is well-formed as HTTP/2.
	 * @param headers its headers
	 * @return {@code null} if it is a gRPC request, else how it is answered
	 */
	static @Nullable HttpAnswer check(RequestHeaders headers) {
		if (headers.isConnect()) {
			return wrongMethod(headers);
		}
		AsciiString path = headers.requestPath();
		if (path.byteAt(0) != '/') {
			return new HttpAnswer(404,
					Status.UNIMPLEMENTED.withDescription("Expected path to start with /: " + shortened(path)));
		}
		AsciiString contentType = headers.contentType();
		if (contentType == null) {
			return new HttpAnswer(415,
					Status.INTERNAL.withDescription("Content-Type is missing; a gRPC request has application/grpc"));
		}
		if (!isGrpc(contentType)) {
			return new HttpAnswer(415, Status.INTERNAL.withDescription("Content-Type '" + shortened(contentType)
					+ "' is not supported; a gRPC request has application/grpc"));
		}
		if (!POST.equals(headers.requestMethod())) {
			return wrongMethod(headers);
		}
		if (headers.severalHosts()) {
			return new HttpAnswer(400, Status.INTERNAL.withDescription("The request has several host headers"));
		}
		return null;
	}

	/**
	 * What a client said in a byte, an index into the header table, is not repeated to it
	 * in thousands.
	 */
	private static CharSequence shortened(AsciiString text) {
		return (text.length() <= LONGEST_TOLD) ? text : text.subSequence(0, LONGEST_TOLD) + "...";
	}

	private static HttpAnswer wrongMethod(RequestHeaders headers) {
		return new HttpAnswer(405, Status.INTERNAL.withDescription(
				"Method '" + shortened(headers.requestMethod()) + "' is not supported; a gRPC request is a POST"));
	}

	private static boolean isGrpc(AsciiString contentType) {
		int length = GRPC.length();
		if (contentType.length() < length || !contentType.regionMatches(true, 0, GRPC, 0, length)) {
			return false;
		}
		return contentType.length() == length || contentType.byteAt(length) == '+' || contentType.byteAt(length) == ';';
	}

	/**
	 * An answer in HTTP terms, for a peer that does not speak gRPC.
	 *
	 * @param httpStatus the HTTP status
	 * @param status the gRPC status, for a client that does speak it
	 */
	record HttpAnswer(int httpStatus, Status status) {

		/**
		 * What it counts as.
		 */
		Refusal reason() {
			return (this.httpStatus == 400) ? Refusal.MALFORMED : Refusal.NOT_GRPC;
		}

	}

}
