package dev.grpcloop.sample;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;

import org.jspecify.annotations.Nullable;

import org.springframework.beans.factory.DisposableBean;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.core.env.Environment;
import org.springframework.stereotype.Component;

/**
 * Calls the application's own services over the network while it is turned on, which it
 * is for a few minutes at most.
 */
@Component
class Load implements DisposableBean {

	static final Duration LONGEST = Duration.ofMinutes(5);

	private final Environment environment;

	private final Clock clock;

	private @Nullable LoadRun run;

	private Instant end = Instant.MIN;

	@Autowired
	Load(Environment environment) {
		this(environment, Clock.systemUTC());
	}

	Load(Environment environment, Clock clock) {
		this.environment = environment;
		this.clock = clock;
	}

	/**
	 * Turns the load on, or lets it go on for the whole time again.
	 * @return whether the server can be called
	 */
	synchronized boolean start() {
		Integer port = port();
		if (port == null) {
			return false;
		}
		stopIfOver();
		this.end = this.clock.instant().plus(LONGEST);
		if (this.run == null) {
			this.run = new LoadRun(port, this::stopIfOver);
		}
		return true;
	}

	synchronized void stop() {
		if (this.run != null) {
			this.run.stop();
			this.run = null;
		}
	}

	private synchronized void stopIfOver() {
		if (!this.clock.instant().isBefore(this.end)) {
			stop();
		}
	}

	synchronized LoadState state() {
		long left = Duration.between(this.clock.instant(), this.end).toSeconds();
		return (this.run != null) ? new LoadState(true, Math.max(0, left), this.run.ended(), port())
				: new LoadState(false, 0, 0, port());
	}

	private @Nullable Integer port() {
		return this.environment.getProperty("local.grpc.server.port", Integer.class);
	}

	@Override
	public void destroy() {
		stop();
	}

}
