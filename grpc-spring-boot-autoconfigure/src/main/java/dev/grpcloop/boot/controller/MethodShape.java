package dev.grpcloop.boot.controller;

import java.util.List;

/**
 * What a method takes and gives.
 *
 * @param requests how it takes requests
 * @param responses how it gives responses
 * @param parameters what each of its parameters is
 */
record MethodShape(RequestKind requests, ResponseKind responses, List<ParameterKind> parameters) {

	/**
	 * Whether the method, or what it returns, waits for requests: then it must not run
	 * where it would keep them from coming.
	 */
	boolean waitsForRequests() {
		return this.requests.waits() || (this.requests != RequestKind.MESSAGE && this.responses.waits());
	}

	boolean uses(ParameterKind kind) {
		return this.parameters.contains(kind);
	}

}
