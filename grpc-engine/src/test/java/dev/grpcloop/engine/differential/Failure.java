package dev.grpcloop.engine.differential;

import io.grpc.Metadata;
import io.grpc.Status;

/**
 * Something that service code throws.
 */
enum Failure {

	RUNTIME {

		@Override
		Throwable create() {
			return new IllegalStateException("secret of a runtime exception");
		}

	},

	ERROR {

		@Override
		Throwable create() {
			return new AssertionError("secret of an error");
		}

	},

	STATUS_RUNTIME {

		@Override
		Throwable create() {
			return Status.ABORTED.withDescription("told by a runtime exception").asRuntimeException();
		}

	},

	STATUS_RUNTIME_WITH_TRAILERS {

		@Override
		Throwable create() {
			return Status.DATA_LOSS.withDescription("told with trailers").asRuntimeException(trailers());
		}

	},

	STATUS_CHECKED_WITH_TRAILERS {

		@Override
		Throwable create() {
			return Status.OUT_OF_RANGE.withDescription("told by a checked exception").asException(trailers());
		}

	},

	CAUSED_BY_STATUS {

		@Override
		Throwable create() {
			return new IllegalArgumentException("secret around a status",
					Status.NOT_FOUND.withDescription("told by a cause").asRuntimeException(trailers()));
		}

	};

	abstract Throwable create();

	boolean isStatus() {
		return this == STATUS_RUNTIME || this == STATUS_RUNTIME_WITH_TRAILERS || this == STATUS_CHECKED_WITH_TRAILERS;
	}

	void fail() {
		Failure.<RuntimeException>sneak(create());
	}

	static Metadata trailers() {
		Metadata trailers = new Metadata();
		trailers.put(Metadata.Key.of("x-thrown", Metadata.ASCII_STRING_MARSHALLER), "one");
		trailers.put(Metadata.Key.of("x-thrown-bin", Metadata.BINARY_BYTE_MARSHALLER), new byte[] { 0, -1 });
		return trailers;
	}

	@SuppressWarnings("unchecked")
	private static <T extends Throwable> void sneak(Throwable throwable) throws T {
		throw (T) throwable;
	}

}
