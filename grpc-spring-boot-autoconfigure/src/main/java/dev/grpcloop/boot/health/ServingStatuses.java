package dev.grpcloop.boot.health;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.BiConsumer;

import io.grpc.health.v1.HealthCheckResponse.ServingStatus;
import io.grpc.protobuf.services.HealthStatusManager;

/**
 * What the clients of a server are told, name by name. For threads of any number.
 * <p>
 * A service has the status of the server as a whole unless a check decides it alone. The
 * server as a whole is SERVING if it runs, if the application accepts traffic, and if
 * nothing that was checked speaks against it. While it does not run, nothing is SERVING,
 * whatever a check may find in the meantime.
 */
final class ServingStatuses {

	private static final String SERVER = HealthStatusManager.SERVICE_NAME_ALL_SERVICES;

	private final List<HealthStatusManager> managers;

	/** Names that do not follow the server as a whole, even before they were checked. */
	private final Set<String> checkedAlone;

	private final Map<String, List<ReportedStatus>> reported = new HashMap<>();

	private final Map<String, ServingStatus> checked = new HashMap<>();

	private boolean acceptsTraffic;

	private boolean running;

	ServingStatuses(List<HealthStatusManager> managers, Set<String> checkedAlone, boolean acceptsTraffic) {
		this.managers = managers;
		this.checkedAlone = checkedAlone;
		this.acceptsTraffic = acceptsTraffic;
	}

	/**
	 * The server is going to run.
	 * @param services the names of its services
	 */
	synchronized void open(Set<String> services) {
		managed(SERVER);
		services.forEach(this::managed);
		this.checkedAlone.forEach(this::managed);
		this.running = true;
		tell(ReportedStatus::reopen);
	}

	private List<ReportedStatus> managed(String name) {
		return this.reported.computeIfAbsent(name,
				(key) -> this.managers.stream().map((manager) -> new ReportedStatus(manager, key)).toList());
	}

	/**
	 * The server is going to stop.
	 */
	synchronized void close() {
		this.running = false;
		this.reported.values().forEach((statuses) -> statuses.forEach(ReportedStatus::close));
	}

	synchronized void acceptTraffic(boolean accept) {
		this.acceptsTraffic = accept;
		tell(ReportedStatus::write);
	}

	/**
	 * Others have made a check, which counts for more than what the application has set.
	 * @param statuses what they have found
	 */
	synchronized void overrule(Map<String, ServingStatus> statuses) {
		this.checked.putAll(statuses);
		statuses.keySet().forEach((name) -> {
			List<ReportedStatus> managed = managed(name);
			if (this.running) {
				ServingStatus status = of(name);
				managed.forEach((one) -> one.force(status));
			}
		});
	}

	/**
	 * A check has been made.
	 * @param statuses what it has found
	 */
	synchronized void check(Map<String, ServingStatus> statuses) {
		this.checked.putAll(statuses);
		tell(ReportedStatus::write);
	}

	private void tell(BiConsumer<ReportedStatus, ServingStatus> how) {
		if (!this.running) {
			return;
		}
		this.reported.forEach((name, managed) -> {
			ServingStatus status = of(name);
			managed.forEach((one) -> how.accept(one, status));
		});
	}

	private ServingStatus of(String name) {
		if (!name.equals(SERVER) && (this.checkedAlone.contains(name) || this.checked.containsKey(name))) {
			return this.checked.getOrDefault(name, ServingStatus.UNKNOWN);
		}
		return this.acceptsTraffic ? this.checked.getOrDefault(SERVER, ServingStatus.SERVING)
				: ServingStatus.NOT_SERVING;
	}

}
