package dev.grpcloop.boot.autoconfigure;

import java.util.Objects;
import java.util.TreeSet;
import java.util.stream.Collectors;

import org.jspecify.annotations.Nullable;

import org.springframework.boot.diagnostics.FailureAnalyzedException;
import org.springframework.boot.health.autoconfigure.contributor.HealthContributorMembershipValidator;
import org.springframework.boot.health.contributor.HealthContributors;
import org.springframework.boot.health.registry.HealthContributorRegistry;
import org.springframework.boot.health.registry.ReactiveHealthContributorRegistry;

/**
 * Refuses health contributors that are not there.
 */
final class HealthMembershipValidation implements Runnable {

	private static final String SWITCH = "grpc.server.health.services.validate-membership";

	private final HealthContributorRegistry registry;

	private final @Nullable ReactiveHealthContributorRegistry reactiveRegistry;

	private final HealthProperties properties;

	HealthMembershipValidation(HealthContributorRegistry registry,
			@Nullable ReactiveHealthContributorRegistry reactiveRegistry, HealthProperties properties) {
		this.registry = registry;
		this.reactiveRegistry = reactiveRegistry;
		this.properties = properties;
	}

	@Override
	public void run() {
		if (this.properties.getServices().isValidateMembership()) {
			try {
				validator().afterSingletonsInstantiated();
			}
			catch (FailureAnalyzedException ex) {
				throw new FailureAnalyzedException(Objects.requireNonNull(ex.analysis()).getDescription() + ".",
						("Name health contributors that are there: %s. A health group is none: name what it consists of, "
								+ "such as readinessState for readiness. %s=false turns this check off.")
							.formatted(names(), SWITCH),
						ex);
			}
		}
	}

	private HealthContributorMembershipValidator validator() {
		return new HealthContributorMembershipValidator(this.registry, this.reactiveRegistry, SWITCH,
				(members) -> this.properties.getService().forEach((name, service) -> {
					String property = HealthProperties.serviceProperty(name);
					members.member(property + ".include", service.getInclude());
					members.member(property + ".exclude", service.getExclude());
				}));
	}

	private String names() {
		TreeSet<String> names = new TreeSet<>();
		this.registry.stream().map(HealthContributors.Entry::name).forEach(names::add);
		if (this.reactiveRegistry != null) {
			this.reactiveRegistry.stream().map((entry) -> entry.name()).forEach(names::add);
		}
		return names.stream().collect(Collectors.joining(", "));
	}

}
