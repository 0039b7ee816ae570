package dev.grpcloop.boot.health;

import java.util.List;
import java.util.Map;
import java.util.Set;

import dev.grpcloop.boot.server.ServerHealth;
import io.grpc.health.v1.HealthCheckResponse.ServingStatus;
import io.grpc.protobuf.services.HealthStatusManager;
import org.jspecify.annotations.Nullable;

import org.springframework.beans.factory.DisposableBean;

/**
 * The health of a server, told by the health managers of the application.
 * <p>
 * Where the context is closed everything they tell becomes NOT_SERVING for ever, whatever
 * the application sets afterwards. A server that may start again changes only the names
 * that it knows: a manager cannot leave its terminal state.
 */
public final class ManagedServerHealth implements ServerHealth, DisposableBean {

	private final List<HealthStatusManager> managers;

	private final boolean eachService;

	private final ServingStatuses statuses;

	private final @Nullable HealthCheck check;

	private final @Nullable HealthSchedule schedule;

	private volatile @Nullable ScheduledHealthCheck scheduled;

	/**
	 * The health that some managers tell.
	 * @param managers the managers
	 * @param eachService whether each service of the server has a status, even if no
	 * check decides it
	 * @param acceptsTraffic whether the application is ready for it
	 * @param check decides the health of a server that runs, or {@code null}
	 * @param schedule when to check, or {@code null} if {@link #update()} is called by
	 * others
	 */
	public ManagedServerHealth(List<HealthStatusManager> managers, boolean eachService, boolean acceptsTraffic,
			@Nullable HealthCheck check, @Nullable HealthSchedule schedule) {
		this.eachService = eachService;
		this.managers = List.copyOf(managers);
		this.statuses = new ServingStatuses(this.managers, (check != null) ? check.services() : Set.of(),
				acceptsTraffic);
		this.check = check;
		this.schedule = schedule;
	}

	@Override
	public void starting(Set<String> services) {
		if (this.check != null) {
			this.check.validate();
		}
		this.statuses.open(this.eachService ? services : Set.of());
	}

	@Override
	public void started() {
		if (this.check != null && this.schedule != null) {
			interruptCheck();
			this.scheduled = new ScheduledHealthCheck(this.check, this.schedule, this.statuses::check);
		}
	}

	@Override
	public void stopping(boolean forGood) {
		ScheduledHealthCheck running = this.scheduled;
		if (running != null) {
			running.stop();
		}
		this.statuses.close();
		if (forGood) {
			this.managers.forEach(HealthStatusManager::enterTerminalState);
		}
	}

	boolean tells(HealthStatusManager manager) {
		return this.managers.contains(manager);
	}

	/**
	 * Tells what others have checked, if the server runs.
	 * @param checked the status of each name
	 */
	void report(Map<String, ServingStatus> checked) {
		this.statuses.overrule(checked);
	}

	/**
	 * Checks the health now, on this thread, and tells what was found if the server runs.
	 */
	public void update() {
		if (this.check != null) {
			this.statuses.check(this.check.check());
		}
	}

	/**
	 * The application has become ready for traffic, or wants no more of it for a while.
	 * Clients are told at once.
	 * @param accept whether it accepts traffic
	 */
	void acceptTraffic(boolean accept) {
		this.statuses.acceptTraffic(accept);
	}

	/**
	 * Something has changed that the next check may find.
	 */
	void checkSoon() {
		ScheduledHealthCheck running = this.scheduled;
		if (running != null) {
			running.hurry();
		}
	}

	@Override
	public void destroy() {
		interruptCheck();
	}

	private void interruptCheck() {
		ScheduledHealthCheck running = this.scheduled;
		if (running != null) {
			running.interrupt();
		}
	}

}
