package dev.grpcloop.boot.testsupport;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;

import io.grpc.Channel;
import io.grpc.health.v1.HealthCheckRequest;
import io.grpc.health.v1.HealthCheckResponse;
import io.grpc.health.v1.HealthCheckResponse.ServingStatus;
import io.grpc.health.v1.HealthGrpc;
import io.grpc.stub.StreamObserver;

/**
 * What a client is told of a server's health.
 */
public final class HealthWatch implements StreamObserver<HealthCheckResponse> {

	/** The server as a whole. */
	public static final String SERVER = "";

	private final List<ServingStatus> statuses = new CopyOnWriteArrayList<>();

	private HealthWatch() {
	}

	public static HealthWatch of(Channel channel, String service) {
		HealthWatch watch = new HealthWatch();
		HealthGrpc.newStub(channel).watch(request(service), watch);
		return watch;
	}

	public static ServingStatus check(Channel channel, String service) {
		return HealthGrpc.newBlockingStub(channel)
			.withDeadlineAfter(20, TimeUnit.SECONDS)
			.check(request(service))
			.getStatus();
	}

	private static HealthCheckRequest request(String service) {
		return HealthCheckRequest.newBuilder().setService(service).build();
	}

	public List<ServingStatus> statuses() {
		return this.statuses;
	}

	@Override
	public void onNext(HealthCheckResponse response) {
		this.statuses.add(response.getStatus());
	}

	@Override
	public void onError(Throwable ex) {
		// the server is gone: there is no further status
	}

	@Override
	public void onCompleted() {
		// a watch has no end of its own
	}

}
