package dev.grpcloop.boot.health;

import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;

import io.grpc.health.v1.HealthCheckResponse.ServingStatus;
import io.grpc.protobuf.services.HealthStatusManager;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.HealthContributors;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.boot.health.contributor.Status;
import org.springframework.boot.health.registry.HealthContributorRegistry;
import org.springframework.boot.health.registry.ReactiveHealthContributorRegistry;

/**
 * Asks the health contributors of the application. Each that counts for something is
 * asked once a check, one after the other; one that fails is DOWN.
 */
public final class ContributorHealthCheck implements HealthCheck {

	/** Says how this server is: asked for its health, it would hear itself. */
	private static final String SELF = "grpcServer";

	private static final Log logger = LogFactory.getLog(ContributorHealthCheck.class);

	private final HealthContributorRegistry registry;

	private final @Nullable ReactiveHealthContributorRegistry reactiveRegistry;

	private final @Nullable CheckedService server;

	private final Map<String, CheckedService> services;

	private final Runnable validation;

	/**
	 * The contributors that failed when they were asked last: the log names them once.
	 */
	private final Set<String> failed = ConcurrentHashMap.newKeySet();

	private volatile String progress = "nothing";

	/**
	 * A check of some services.
	 * @param registry the contributors
	 * @param reactiveRegistry further ones, or {@code null}
	 * @param server which of them count for the server as a whole, or {@code null} if
	 * none does
	 * @param services which of them count for the services with these names
	 * @param validation makes sure that all of this can be
	 */
	public ContributorHealthCheck(HealthContributorRegistry registry,
			@Nullable ReactiveHealthContributorRegistry reactiveRegistry, @Nullable CheckedService server,
			Map<String, CheckedService> services, Runnable validation) {
		this.registry = registry;
		this.reactiveRegistry = reactiveRegistry;
		this.server = server;
		this.services = Map.copyOf(services);
		this.validation = validation;
	}

	@Override
	public Set<String> services() {
		return this.services.keySet();
	}

	@Override
	public void validate() {
		this.validation.run();
	}

	@Override
	public String progress() {
		return this.progress;
	}

	@Override
	public Map<String, ServingStatus> check() {
		Map<String, Status> contributors = new LinkedHashMap<>();
		ask("", this.registry, contributors);
		if (this.reactiveRegistry != null) {
			ask("", this.reactiveRegistry.asHealthContributors(), contributors);
		}
		Map<String, ServingStatus> statuses = new HashMap<>();
		this.services.forEach((name, service) -> statuses.put(name, service.of(contributors)));
		if (this.server != null && this.server.hasMemberAmong(contributors.keySet())) {
			statuses.put(HealthStatusManager.SERVICE_NAME_ALL_SERVICES, this.server.of(contributors));
		}
		return statuses;
	}

	private void ask(String path, HealthContributors contributors, Map<String, Status> statuses) {
		for (HealthContributors.Entry entry : contributors) {
			String name = path + entry.name();
			if (name.equals(SELF)) {
				continue;
			}
			if (entry.contributor() instanceof HealthContributors children) {
				ask(name + "/", children, statuses);
			}
			else if (entry.contributor() instanceof HealthIndicator indicator && counts(name)) {
				statuses.computeIfAbsent(name, (key) -> ask(key, indicator));
			}
		}
	}

	private boolean counts(String contributor) {
		return Stream.concat(Stream.ofNullable(this.server), this.services.values().stream())
			.anyMatch((service) -> service.membership().isMember(contributor));
	}

	private @Nullable Status ask(String name, HealthIndicator indicator) {
		this.progress = "the health contributor '" + name + "' (" + indicator.getClass().getName() + ")";
		try {
			Health health = indicator.health(false);
			this.failed.remove(name);
			return (health != null) ? health.getStatus() : null;
		}
		catch (RuntimeException | Error ex) {
			if (this.failed.add(name)) {
				logger.warn("The health contributor '" + name + "' counts as DOWN for gRPC clients: it has failed", ex);
			}
			return Status.DOWN;
		}
	}

}
