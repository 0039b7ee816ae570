package dev.grpcloop.boot.endpoint;

import java.util.function.Supplier;

import dev.grpcloop.boot.server.ObservedServer;
import org.jspecify.annotations.Nullable;

import org.springframework.boot.health.contributor.AbstractHealthIndicator;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.HealthIndicator;

/**
 * {@link HealthIndicator} of the gRPC server: UP while it runs, OUT_OF_SERVICE while it
 * drains and while it is stopped, DOWN if it no longer listens though it runs. It looks
 * at the server alone, not at what that tells its clients of its health.
 */
public final class GrpcServerHealthIndicator extends AbstractHealthIndicator {

	private final Supplier<@Nullable ObservedServer> server;

	/**
	 * An indicator.
	 * @param server gives the server, or {@code null} if none runs
	 */
	public GrpcServerHealthIndicator(Supplier<@Nullable ObservedServer> server) {
		super("The gRPC server could not be asked");
		this.server = server;
	}

	@Override
	protected void doHealthCheck(Health.Builder builder) {
		ObservedServer observed = this.server.get();
		ServerReport report = ServerReport.of(observed);
		builder.withDetail("state", report.state());
		if (observed == null) {
			builder.outOfService();
			return;
		}
		builder.withDetail("address", String.join(", ", observed.bound()));
		if (report.port() != null) {
			builder.withDetail("port", report.port());
		}
		if (observed.isDraining()) {
			builder.outOfService();
		}
		else if (observed.isBindLost()) {
			builder.down()
				.withDetail("error", "The server no longer listens on all of its addresses; it does on: "
						+ (report.addresses().isEmpty() ? "none" : String.join(", ", report.addresses())));
		}
		else {
			builder.up();
		}
	}

}
