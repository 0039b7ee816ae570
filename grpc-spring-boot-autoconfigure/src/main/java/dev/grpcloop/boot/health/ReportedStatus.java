package dev.grpcloop.boot.health;

import java.util.concurrent.atomic.AtomicReference;

import io.grpc.health.v1.HealthCheckRequest;
import io.grpc.health.v1.HealthCheckResponse;
import io.grpc.health.v1.HealthCheckResponse.ServingStatus;
import io.grpc.health.v1.HealthGrpc;
import io.grpc.protobuf.services.HealthStatusManager;
import io.grpc.stub.StreamObserver;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

/**
 * What a manager tells of one name. A status that the application has set there itself is
 * left alone: it is known by being another one than was written here last.
 * <p>
 * Not for use by several threads at a time.
 */
final class ReportedStatus {

	private static final Log logger = LogFactory.getLog(ReportedStatus.class);

	private final HealthStatusManager manager;

	private final String name;

	/** What was written last, or else what a new manager tells. */
	private @Nullable ServingStatus written;

	/** What the application had set when the server stopped. */
	private @Nullable ServingStatus kept;

	ReportedStatus(HealthStatusManager manager, String name) {
		this.manager = manager;
		this.name = name;
		this.written = name.equals(HealthStatusManager.SERVICE_NAME_ALL_SERVICES) ? ServingStatus.SERVING : null;
	}

	/**
	 * Tells a status, unless the application has set one.
	 * @param status the status
	 */
	void write(ServingStatus status) {
		if (status != this.written && read() == this.written) {
			force(status);
		}
	}

	/**
	 * Tells NOT_SERVING, whatever the application has set.
	 */
	void close() {
		ServingStatus status = read();
		if (status != null && status == this.written) {
			force(ServingStatus.NOT_SERVING);
		}
		else if (status != null) {
			this.kept = status;
			set(ServingStatus.NOT_SERVING);
		}
	}

	/**
	 * Tells a status again, or else what the application had set.
	 * @param status the status
	 */
	void reopen(ServingStatus status) {
		ServingStatus kept = this.kept;
		this.kept = null;
		if (kept == null) {
			write(status);
		}
		else if (read() == ServingStatus.NOT_SERVING) {
			set(kept);
		}
	}

	/**
	 * Tells a status, whatever the application has set.
	 * @param status the status
	 */
	void force(ServingStatus status) {
		this.written = status;
		set(status);
	}

	/** A client that is gone must not keep others from being told. */
	private void set(ServingStatus status) {
		try {
			this.manager.setStatus(this.name, status);
		}
		catch (RuntimeException ex) {
			logger.warn("Not all who watch the health of '" + this.name + "' were told that it is " + status, ex);
		}
	}

	/** The manager has no other way to tell; it answers at once and on this thread. */
	private @Nullable ServingStatus read() {
		AtomicReference<@Nullable ServingStatus> status = new AtomicReference<>();
		((HealthGrpc.AsyncService) this.manager.getHealthService())
			.check(HealthCheckRequest.newBuilder().setService(this.name).build(), new StreamObserver<>() {

				@Override
				public void onNext(HealthCheckResponse response) {
					status.set(response.getStatus());
				}

				@Override
				public void onError(Throwable ex) {
					// it knows no such name
				}

				@Override
				public void onCompleted() {
					// there is nothing after the answer
				}

			});
		return status.get();
	}

}
