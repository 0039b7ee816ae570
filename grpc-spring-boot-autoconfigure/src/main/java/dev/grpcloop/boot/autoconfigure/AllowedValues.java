package dev.grpcloop.boot.autoconfigure;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;

import dev.grpcloop.boot.server.ServerMode;
import org.jspecify.annotations.Nullable;

import org.springframework.boot.context.properties.source.InvalidConfigurationPropertyValueException;
import org.springframework.util.unit.DataSize;

/**
 * What each property may be: in words, for those who set it wrong, and as checks of what
 * its Java type does not rule out.
 */
final class AllowedValues {

	private static final String SWITCH = "true or false";

	private static final String COUNT = "a whole number from 0 on";

	private static final String COUNT_FROM_1 = "a whole number from 1 on";

	private static final String SECONDS = "; a number without a unit is seconds";

	private static final String TIME = "a duration of more than 0 such as 30s" + SECONDS;

	private static final String TIME_FROM_0 = "a duration from 0 on such as 30s" + SECONDS;

	private static final String TIME_OR_NONE = TIME + ", leave it out for no limit";

	private static final Map<String, String> WORDS = Map.ofEntries(Map.entry("grpc.server.enabled", SWITCH),
			Map.entry("grpc.server.address",
					"an IP address or a host name of this machine; '*' or nothing for all addresses"),
			Map.entry("grpc.server.port", "a port from 0 to 65535, where 0 takes a free one"),
			Map.entry("grpc.server.backend", "auto, nio, epoll, kqueue or io_uring"),
			Map.entry("grpc.server.workers", "a whole number from 1 on; leave it out for one per processor"),
			Map.entry("grpc.server.factory.enabled", SWITCH),
			Map.entry("grpc.server.inprocess.name", "a name; leave it out for no in-process server"),
			Map.entry("grpc.server.executor.mode", "auto, event-loop, virtual or platform"),
			Map.entry("grpc.server.executor.max-threads", COUNT_FROM_1),
			Map.entry("grpc.server.executor.queue-capacity", COUNT),
			Map.entry("grpc.server.executor.blocked-threshold",
					"a duration from 1ms on such as 100ms; a number without a unit is seconds, 0 turns the watch off"),
			Map.entry("grpc.server.flow-control.max-buffered-per-call",
					"a size from 65536B to 2147483647B, such as 64MB"),
			Map.entry("grpc.server.flow-control.window", "a size from 65535B to 2147483647B, such as 1MB"),
			Map.entry("grpc.server.flow-control.max-buffered",
					"a size from 1MB on such as 256MB; leave it out for a quarter of the memory"),
			Map.entry("grpc.server.flow-control.stall-timeout", TIME),
			Map.entry("grpc.server.max-concurrent-calls-per-connection", COUNT_FROM_1),
			Map.entry("grpc.server.handshake-timeout", TIME), Map.entry("grpc.server.inbound.headers-timeout", TIME),
			Map.entry("grpc.server.inbound.message.max-size", "a size from 0B to 2147483647B, such as 4MB"),
			Map.entry("grpc.server.inbound.metadata.max-size", "a size from 1B to 2147483647B, such as 8KB"),
			Map.entry("grpc.server.keepalive.time", TIME), Map.entry("grpc.server.keepalive.timeout", TIME),
			Map.entry("grpc.server.keepalive.permit.time", TIME_FROM_0),
			Map.entry("grpc.server.keepalive.permit.without-calls", SWITCH),
			Map.entry("grpc.server.keepalive.connection.max-idle-time", TIME_OR_NONE),
			Map.entry("grpc.server.keepalive.connection.max-age", TIME_OR_NONE),
			Map.entry("grpc.server.keepalive.connection.grace-period", TIME_FROM_0),
			Map.entry("grpc.server.guard.period", TIME), Map.entry("grpc.server.guard.resets", COUNT),
			Map.entry("grpc.server.guard.protocol-faults", COUNT), Map.entry("grpc.server.guard.settings", COUNT),
			Map.entry("grpc.server.guard.control-frames", COUNT), Map.entry("grpc.server.guard.empty-frames", COUNT),
			Map.entry("grpc.server.guard.tiny-frames", COUNT),
			Map.entry("grpc.server.guard.small-continuations", COUNT_FROM_1),
			Map.entry("grpc.server.health.enabled", SWITCH),
			Map.entry("grpc.server.health.include-overall-health", SWITCH),
			Map.entry("grpc.server.health.service",
					"what 'include', 'exclude', 'status.order' and 'status.mapping' allow, below the name of a service"),
			Map.entry("grpc.server.health.services.validate-membership", SWITCH),
			Map.entry("grpc.server.health.status.order", "names of health statuses, the most severe first"),
			Map.entry("grpc.server.health.status.mapping",
					"serving, not-serving or unknown, below the name of a health status"),
			Map.entry("grpc.server.health.schedule.enabled", SWITCH),
			Map.entry("grpc.server.health.schedule.period", TIME),
			Map.entry("grpc.server.health.schedule.delay", TIME_FROM_0),
			Map.entry("grpc.server.reflection.enabled", SWITCH),
			Map.entry("grpc.server.shutdown.drain-delay", TIME_FROM_0),
			Map.entry("grpc.server.shutdown.grace-period",
					"a duration such as 30s or 2m; a number without a unit is seconds, "
							+ "0 does not wait, a negative one waits without limit"),
			Map.entry("grpc.server.access-log.enabled", SWITCH),
			Map.entry("grpc.server.access-log.format", "text or json"),
			Map.entry("grpc.server.access-log.queue-capacity", COUNT_FROM_1),
			Map.entry("grpc.server.metrics.additional-names", "a66, net-devh or both"),
			Map.entry("grpc.server.metrics.enabled", SWITCH), Map.entry("grpc.server.observation.enabled", SWITCH),
			Map.entry("grpc.server.observation.recorder", "auto, interceptor or engine"),
			Map.entry("grpc.server.validation.enabled", SWITCH));

	/** What a health status is to clients, of the whole or of one service. */
	private static final Pattern HEALTH_MAPPING = Pattern
		.compile("grpc\\.server\\.health\\.(service.*\\.)?status\\.mapping[.\\[].*");

	private AllowedValues() {
	}

	/**
	 * Says what a property may be.
	 * @param property its name in canonical form, as we or as Spring Boot call it
	 * @return the words, or {@code null} if the property is not ours
	 */
	static @Nullable String of(String property) {
		boolean springBoots = property.startsWith(ServerMode.SPRING_BOOT_PREFIX + ".");
		String name = springBoots ? ServerMode.PREFIX + property.substring(ServerMode.SPRING_BOOT_PREFIX.length())
				: property;
		return WORDS.get(HEALTH_MAPPING.matcher(name).matches() ? "grpc.server.health.status.mapping" : name);
	}

	/**
	 * Lists the properties that begin with a name.
	 * @param group the name in canonical form
	 * @return the properties; none if the name is a property, or none begins with it
	 */
	static List<String> below(String group) {
		return WORDS.keySet().stream().filter((property) -> property.startsWith(group + ".")).sorted().toList();
	}

	static int inRange(String property, int value, int min, int max) {
		if (value < min || value > max) {
			throw invalid(property, value);
		}
		return value;
	}

	static int atLeast(String property, int value, int min) {
		return inRange(property, value, min, Integer.MAX_VALUE);
	}

	static int bytes(String property, DataSize size, int min) {
		if (size.toBytes() < min || size.toBytes() > Integer.MAX_VALUE) {
			throw invalid(property, size);
		}
		return (int) size.toBytes();
	}

	static long manyBytes(String property, DataSize size, long min) {
		if (size.toBytes() < min) {
			throw invalid(property, size);
		}
		return size.toBytes();
	}

	static Duration zeroOrMillis(String property, Duration value) {
		if (!value.isZero() && value.toMillis() < 1) {
			throw invalid(property, value);
		}
		return value;
	}

	/**
	 * Checks a time that must be some.
	 * @param property its name in canonical form
	 * @param value the time
	 * @return the time in nanoseconds; the longest there is, if it is longer
	 */
	static long positiveNanos(String property, Duration value) {
		if (value.isZero() || value.isNegative()) {
			throw invalid(property, value);
		}
		return TimeUnit.NANOSECONDS.convert(value);
	}

	/**
	 * Checks a time that may be none.
	 * @param property its name in canonical form
	 * @param value the time
	 * @return the time in nanoseconds; the longest there is, if it is longer
	 */
	static long nanos(String property, Duration value) {
		return TimeUnit.NANOSECONDS.convert(zeroOrMore(property, value));
	}

	static Duration zeroOrMore(String property, Duration value) {
		if (value.isNegative()) {
			throw invalid(property, value);
		}
		return value;
	}

	static InvalidConfigurationPropertyValueException invalid(String property, @Nullable Object value) {
		return new InvalidConfigurationPropertyValueException(property, value,
				"Allowed is " + Objects.requireNonNull(of(property)) + ".");
	}

}
