package dev.grpcloop.boot.autoconfigure;

import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

import io.grpc.health.v1.HealthCheckResponse.ServingStatus;
import org.jspecify.annotations.Nullable;

import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.NestedConfigurationProperty;
import org.springframework.boot.convert.DurationUnit;

/**
 * What clients are told of the server's health.
 */
@ConfigurationProperties("grpc.server.health")
public class HealthProperties {

	/**
	 * Whether to serve 'grpc.health.v1.Health', unless a service of the application does.
	 * By default, it is served beside the services of the application; with 'true', even
	 * where there are none.
	 */
	private @Nullable Boolean enabled;

	/**
	 * Whether the status of the server as a whole, and of the services that have none of
	 * their own, follows the application's health contributors and its readiness.
	 */
	private boolean includeOverallHealth = true;

	private final Services services = new Services();

	/**
	 * Services, or other names that clients ask for, whose status follows certain health
	 * contributors, by name.
	 */
	private final Map<String, Service> service = new LinkedHashMap<>();

	@NestedConfigurationProperty
	private final Status status = new Status();

	private final Schedule schedule = new Schedule();

	/**
	 * Names the properties of a service.
	 * @param name the name of the service
	 * @return what they begin with
	 */
	static String serviceProperty(String name) {
		return "grpc.server.health.service" + (name.contains(".") ? "[" + name + "]" : "." + name);
	}

	/**
	 * Makes sure that no status of a health contributor is one which means something else
	 * to gRPC clients.
	 */
	void validate() {
		this.status.validate("grpc.server.health");
		this.service.forEach((name, service) -> service.getStatus().validate(serviceProperty(name)));
	}

	public @Nullable Boolean getEnabled() {
		return this.enabled;
	}

	public void setEnabled(@Nullable Boolean enabled) {
		this.enabled = enabled;
	}

	public boolean isIncludeOverallHealth() {
		return this.includeOverallHealth;
	}

	public void setIncludeOverallHealth(boolean includeOverallHealth) {
		this.includeOverallHealth = includeOverallHealth;
	}

	public Services getServices() {
		return this.services;
	}

	public Map<String, Service> getService() {
		return this.service;
	}

	public Status getStatus() {
		return this.status;
	}

	public Schedule getSchedule() {
		return this.schedule;
	}

	/**
	 * All services with a status of their own.
	 */
	public static class Services {

		/**
		 * Whether the start fails if a service includes or excludes a health contributor
		 * that is not there.
		 */
		private boolean validateMembership = true;

		public boolean isValidateMembership() {
			return this.validateMembership;
		}

		public void setValidateMembership(boolean validateMembership) {
			this.validateMembership = validateMembership;
		}

	}

	/**
	 * A service with a status of its own.
	 */
	public static class Service {

		/**
		 * Health contributors that count for the service, such as 'db', or 'db/primary'
		 * for a part of one. By default, or with '*', all do.
		 */
		private Set<String> include = new LinkedHashSet<>();

		/**
		 * Health contributors that do not count for the service. With '*', none does.
		 */
		private Set<String> exclude = new LinkedHashSet<>();

		@NestedConfigurationProperty
		private final Status status = new Status();

		public Set<String> getInclude() {
			return this.include;
		}

		public void setInclude(Set<String> include) {
			this.include = include;
		}

		public Set<String> getExclude() {
			return this.exclude;
		}

		public void setExclude(Set<String> exclude) {
			this.exclude = exclude;
		}

		public Status getStatus() {
			return this.status;
		}

	}

	/**
	 * How one status is made of those of several contributors.
	 */
	public static class Status {

		/**
		 * Health statuses, the most severe first; others do not count. By default 'down',
		 * 'out-of-service', 'up', 'unknown'.
		 */
		private List<String> order = new ArrayList<>();

		/**
		 * What a health status is to gRPC clients; one that is not mapped is 'serving'.
		 * By default 'down' and 'out-of-service' are 'not-serving', and 'unknown' is
		 * 'unknown'; a mapping takes the place of all of these.
		 */
		private final Map<String, ServingStatus> mapping = new LinkedHashMap<>();

		private void validate(String prefix) {
			this.mapping.forEach((code, serving) -> {
				if (serving == ServingStatus.UNRECOGNIZED || serving == ServingStatus.SERVICE_UNKNOWN) {
					throw AllowedValues.invalid(prefix + ".status.mapping." + code, serving);
				}
			});
		}

		public List<String> getOrder() {
			return this.order;
		}

		public void setOrder(List<String> order) {
			this.order = order;
		}

		public Map<String, ServingStatus> getMapping() {
			return this.mapping;
		}

	}

	/**
	 * When the health is checked.
	 */
	public static class Schedule {

		/**
		 * Whether to check the health of the application while the server runs.
		 */
		private boolean enabled = true;

		/**
		 * How often the health is checked. A number without a unit is seconds.
		 */
		@DurationUnit(ChronoUnit.SECONDS)
		private Duration period = Duration.ofSeconds(5);

		/**
		 * How long after the start of the server the health is checked for the first
		 * time. A number without a unit is seconds.
		 */
		@DurationUnit(ChronoUnit.SECONDS)
		private Duration delay = Duration.ofSeconds(5);

		public boolean isEnabled() {
			return this.enabled;
		}

		public void setEnabled(boolean enabled) {
			this.enabled = enabled;
		}

		public Duration getPeriod() {
			return this.period;
		}

		public void setPeriod(Duration period) {
			this.period = period;
		}

		public Duration getDelay() {
			return this.delay;
		}

		public void setDelay(Duration delay) {
			this.delay = delay;
		}

	}

}
