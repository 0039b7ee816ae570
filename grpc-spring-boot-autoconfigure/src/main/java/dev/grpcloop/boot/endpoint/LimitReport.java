package dev.grpcloop.boot.endpoint;

import java.util.Map;
import java.util.TreeMap;

import dev.grpcloop.boot.server.ObservedServer;
import dev.grpcloop.engine.EventLoopServer;
import dev.grpcloop.engine.http2.AbuseLimits;
import dev.grpcloop.engine.http2.ConnectionLife;
import dev.grpcloop.engine.http2.ConnectionLimits;

/**
 * The limits of a server that are in force, whoever has set them: times in seconds, sizes
 * in bytes.
 */
final class LimitReport {

	/** Stands for a limit that there is not: JSON has no infinite number. */
	private static final String UNLIMITED = "unlimited";

	private final ObservedServer observed;

	private final Map<String, Object> limits = new TreeMap<>();

	private LimitReport(ObservedServer observed) {
		this.observed = observed;
	}

	/**
	 * Reports all limits.
	 * @param observed the server
	 * @return the limits by the names of their properties
	 */
	static Map<String, Object> of(ObservedServer observed) {
		LimitReport report = new LimitReport(observed);
		EventLoopServer server = observed.server();
		report.add("inbound.message.max-size", server.getMaxInboundMessageSize());
		report.add("flow-control.max-buffered-per-call", server.getMaxBufferedPerCall());
		report.add("flow-control.max-buffered", server.getMaxBufferedBytes());
		report.addTime("executor.blocked-threshold", server.getBlockedThreshold().toNanos());
		report.limits.putAll(observed.executorLimits());
		report.add(server.getConnectionPolicy().limits());
		report.add(server.getConnectionPolicy().life());
		report.add(server.getConnectionPolicy().abuse());
		return report.limits;
	}

	private void add(ConnectionLimits limits) {
		add("max-concurrent-calls-per-connection", limits.maxConcurrentStreams());
		add("inbound.metadata.max-size", limits.maxHeaderListSize());
		add("flow-control.window", limits.flowControlWindow());
	}

	private void add(ConnectionLife life) {
		addTime("handshake-timeout", life.handshakeNanos());
		addTime("inbound.headers-timeout", life.headersNanos());
		addTime("flow-control.stall-timeout", life.stallNanos());
		addTime("keepalive.time", life.keepAliveNanos());
		addTime("keepalive.timeout", life.keepAliveTimeoutNanos());
		addTime("keepalive.permit.time", life.permitNanos());
		add("keepalive.permit.without-calls", life.permitWithoutCalls());
		addTime("keepalive.connection.max-idle-time", life.maxIdleNanos());
		addTime("keepalive.connection.max-age", life.maxAgeNanos());
		addTime("keepalive.connection.grace-period", life.ageGraceNanos());
	}

	private void add(AbuseLimits abuse) {
		addTime("guard.period", abuse.periodNanos());
		add("guard.resets", abuse.resets());
		add("guard.protocol-faults", abuse.protocolFaults());
		add("guard.settings", abuse.settings());
		add("guard.control-frames", abuse.controlFrames());
		add("guard.empty-frames", abuse.emptyFrames());
		add("guard.tiny-frames", abuse.tinyFrames());
		add("guard.small-continuations", abuse.smallContinuations());
	}

	private void addTime(String key, long nanos) {
		add(key, (nanos == ConnectionLife.NEVER) ? UNLIMITED : Seconds.of(nanos));
	}

	private void add(String key, Object value) {
		this.limits.put(this.observed.property(key), value);
	}

}
