package dev.grpcloop.boot.health;

import java.util.List;

import dev.grpcloop.boot.server.ServerHealth;
import io.grpc.BindableService;
import io.grpc.health.v1.HealthCheckResponse.ServingStatus;
import io.grpc.protobuf.services.HealthStatusManager;
import org.jspecify.annotations.Nullable;

/**
 * The health managers of the application, told when the server stops.
 * <p>
 * Where the context is closed everything they tell becomes NOT_SERVING for ever, whatever
 * the application sets afterwards. A server that may start again changes the status of
 * the server as a whole alone: a manager cannot leave its terminal state.
 */
public final class HealthStatusManagers implements ServerHealth {

	private final List<HealthStatusManager> managers;

	private final @Nullable HealthStatusManager served;

	/** Whether the status of the server as a whole is ours to give back. */
	private volatile boolean stopped;

	/**
	 * Some managers.
	 * @param managers all there are
	 * @param served the one whose service is to be served, or {@code null}
	 */
	public HealthStatusManagers(List<HealthStatusManager> managers, @Nullable HealthStatusManager served) {
		this.managers = List.copyOf(managers);
		this.served = served;
	}

	@Override
	public @Nullable BindableService service() {
		return (this.served != null) ? this.served.getHealthService() : null;
	}

	@Override
	public void starting() {
		if (this.stopped) {
			this.stopped = false;
			setStatus(ServingStatus.SERVING);
		}
	}

	@Override
	public void stopping(boolean forGood) {
		if (forGood) {
			this.managers.forEach(HealthStatusManager::enterTerminalState);
		}
		else {
			this.stopped = true;
			setStatus(ServingStatus.NOT_SERVING);
		}
	}

	private void setStatus(ServingStatus status) {
		this.managers.forEach((manager) -> manager.setStatus(HealthStatusManager.SERVICE_NAME_ALL_SERVICES, status));
	}

}
