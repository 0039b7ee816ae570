package dev.grpcloop.boot.health;

import java.util.ArrayList;
import java.util.List;

import dev.grpcloop.boot.testsupport.HealthWatch;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import io.grpc.ServerCall;
import io.grpc.ServerMethodDefinition;
import io.grpc.Status;
import io.grpc.health.v1.HealthCheckRequest;
import io.grpc.health.v1.HealthCheckResponse;
import io.grpc.health.v1.HealthCheckResponse.ServingStatus;
import io.grpc.health.v1.HealthGrpc;
import io.grpc.protobuf.services.HealthStatusManager;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Clients that watch, and one that is gone before the manager has heard of it.
 */
class GoneWatchersTests {

	private final HealthStatusManager manager = new HealthStatusManager();

	private final HealthServices services = new HealthServices(this.manager, false);

	@Test
	void aClientThatIsGoneHidesNothingFromOthers() {
		List<Watcher> watchers = new ArrayList<>();
		for (int i = 0; i < 4; i++) {
			watchers.add(watch());
		}
		watchers.get(1).listener.onCancel();
		watchers.get(2).listener.onCancel();
		this.manager.setStatus(HealthWatch.SERVER, ServingStatus.NOT_SERVING);
		assertThat(watchers).extracting((watcher) -> watcher.statuses)
			.containsOnly(List.of(ServingStatus.SERVING, ServingStatus.NOT_SERVING));
	}

	@SuppressWarnings("unchecked")
	private Watcher watch() {
		Watcher watcher = new Watcher();
		ServerMethodDefinition<HealthCheckRequest, HealthCheckResponse> method = (ServerMethodDefinition<HealthCheckRequest, HealthCheckResponse>) this.services
			.services()
			.get(0)
			.bindService()
			.getMethod(HealthGrpc.getWatchMethod().getFullMethodName());
		watcher.listener = method.getServerCallHandler().startCall(watcher, new Metadata());
		watcher.listener.onMessage(HealthCheckRequest.getDefaultInstance());
		watcher.listener.onHalfClose();
		return watcher;
	}

	/** A call that takes note of what is sent. */
	private static final class Watcher extends ServerCall<HealthCheckRequest, HealthCheckResponse> {

		final List<ServingStatus> statuses = new ArrayList<>();

		Listener<HealthCheckRequest> listener;

		@Override
		public void request(int messages) {
			// the test sends what there is
		}

		@Override
		public void sendHeaders(Metadata headers) {
			// they say nothing
		}

		@Override
		public void sendMessage(HealthCheckResponse message) {
			this.statuses.add(message.getStatus());
		}

		@Override
		public void close(Status status, Metadata trailers) {
			// a watch has no end
		}

		@Override
		public boolean isCancelled() {
			return false;
		}

		@Override
		public MethodDescriptor<HealthCheckRequest, HealthCheckResponse> getMethodDescriptor() {
			return HealthGrpc.getWatchMethod();
		}

	}

}
