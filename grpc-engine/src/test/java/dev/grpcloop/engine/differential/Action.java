package dev.grpcloop.engine.differential;

import io.grpc.Status;

/**
 * What a service does.
 */
sealed interface Action {

	record Headers(Fields fields) implements Action {

	}

	record Send(Msg message) implements Action {

	}

	record Close(Status.Code code, String description, Fields trailers, boolean checked) implements Action {

		Status status() {
			Status status = this.code.toStatus();
			return this.description.equals("null") ? status : status.withDescription(this.description);
		}

	}

	record Throw(Failure failure) implements Action {

	}

	record Request(int count) implements Action {

	}

	record Compression(String name) implements Action {

	}

	record MessageCompression(boolean enabled) implements Action {

	}

}
