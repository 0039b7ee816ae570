package dev.grpcloop.boot.autoconfigure;

import java.time.Duration;
import java.time.temporal.ChronoUnit;

import org.jspecify.annotations.Nullable;

import org.springframework.boot.convert.DurationUnit;

/**
 * How connections are kept alive, and for how long.
 */
public class KeepaliveProperties {

	/**
	 * How long a client may be silent before the server pings it. A number without a unit
	 * is seconds.
	 */
	@DurationUnit(ChronoUnit.SECONDS)
	private Duration time = Duration.ofHours(2);

	/**
	 * How long a client that was pinged may take to send anything at all before its
	 * connection is closed. A number without a unit is seconds.
	 */
	@DurationUnit(ChronoUnit.SECONDS)
	private Duration timeout = Duration.ofSeconds(20);

	private final Permit permit = new Permit();

	private final Connection connection = new Connection();

	public Duration getTime() {
		return this.time;
	}

	public void setTime(Duration time) {
		this.time = time;
	}

	public Duration getTimeout() {
		return this.timeout;
	}

	public void setTimeout(Duration timeout) {
		this.timeout = timeout;
	}

	public Permit getPermit() {
		return this.permit;
	}

	public Connection getConnection() {
		return this.connection;
	}

	/**
	 * The pings of clients.
	 */
	public static class Permit {

		/**
		 * How often a client may ping. One that does so more often loses its connection.
		 * A number without a unit is seconds.
		 */
		@DurationUnit(ChronoUnit.SECONDS)
		private Duration time = Duration.ofMinutes(5);

		/**
		 * Whether a client may ping as often while it has no call. Otherwise it may every
		 * 2 hours.
		 */
		private boolean withoutCalls = false;

		public Duration getTime() {
			return this.time;
		}

		public void setTime(Duration time) {
			this.time = time;
		}

		public boolean isWithoutCalls() {
			return this.withoutCalls;
		}

		public void setWithoutCalls(boolean withoutCalls) {
			this.withoutCalls = withoutCalls;
		}

	}

	/**
	 * How long connections live.
	 */
	public static class Connection {

		/**
		 * How long a connection may have no call before its client is told to go. By
		 * default, without limit. A number without a unit is seconds.
		 */
		@DurationUnit(ChronoUnit.SECONDS)
		private @Nullable Duration maxIdleTime;

		/**
		 * How old a connection may become, give or take a tenth, before its client is
		 * told to go. By default, without limit. A number without a unit is seconds.
		 */
		@DurationUnit(ChronoUnit.SECONDS)
		private @Nullable Duration maxAge;

		/**
		 * How long the calls of a connection that has become too old may go on. A number
		 * without a unit is seconds.
		 */
		@DurationUnit(ChronoUnit.SECONDS)
		private Duration gracePeriod = Duration.ofSeconds(30);

		public @Nullable Duration getMaxIdleTime() {
			return this.maxIdleTime;
		}

		public void setMaxIdleTime(@Nullable Duration maxIdleTime) {
			this.maxIdleTime = maxIdleTime;
		}

		public @Nullable Duration getMaxAge() {
			return this.maxAge;
		}

		public void setMaxAge(@Nullable Duration maxAge) {
			this.maxAge = maxAge;
		}

		public Duration getGracePeriod() {
			return this.gracePeriod;
		}

		public void setGracePeriod(Duration gracePeriod) {
			this.gracePeriod = gracePeriod;
		}

	}

}
