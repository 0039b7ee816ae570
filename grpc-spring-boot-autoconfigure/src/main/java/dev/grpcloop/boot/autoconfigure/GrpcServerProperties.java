package dev.grpcloop.boot.autoconfigure;

import java.time.Duration;
import java.time.temporal.ChronoUnit;

import dev.grpcloop.boot.server.ServerMode;
import dev.grpcloop.engine.Backend;
import org.jspecify.annotations.Nullable;

import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.NestedConfigurationProperty;
import org.springframework.boot.convert.DurationUnit;

/**
 * Properties of the gRPC server.
 */
@ConfigurationProperties("grpc.server")
public class GrpcServerProperties {

	/**
	 * Whether to start the gRPC server.
	 */
	private boolean enabled = true;

	/**
	 * IP address or host name of this machine to listen on. By default, or with '*', the
	 * server listens on all addresses.
	 */
	private @Nullable String address;

	/**
	 * Port to listen on. Use '0' to take a free port.
	 */
	private int port = 9090;

	/**
	 * How the event loops talk to the operating system. With 'auto', the best that is
	 * there: a native transport or else 'nio'.
	 */
	private Backend backend = Backend.AUTO;

	/**
	 * Number of event loops. By default, one per processor.
	 */
	private @Nullable Integer workers;

	/**
	 * Maximum number of calls that a client may have open on one connection.
	 */
	private int maxConcurrentCallsPerConnection = 1000;

	/**
	 * How long a client may take to begin: to send the preface and its SETTINGS, and to
	 * acknowledge the server's. A number without a unit is seconds.
	 */
	@DurationUnit(ChronoUnit.SECONDS)
	private Duration handshakeTimeout = Duration.ofSeconds(20);

	@NestedConfigurationProperty
	private final ExecutorProperties executor = new ExecutorProperties();

	@NestedConfigurationProperty
	private final FlowControlProperties flowControl = new FlowControlProperties();

	@NestedConfigurationProperty
	private final InboundProperties inbound = new InboundProperties();

	@NestedConfigurationProperty
	private final KeepaliveProperties keepalive = new KeepaliveProperties();

	@NestedConfigurationProperty
	private final GuardProperties guard = new GuardProperties();

	@NestedConfigurationProperty
	private final ShutdownProperties shutdown = new ShutdownProperties();

	private final Factory factory = new Factory();

	private final Inprocess inprocess = new Inprocess();

	private final Reflection reflection = new Reflection();

	@NestedConfigurationProperty
	private final MetricsProperties metrics = new MetricsProperties();

	@NestedConfigurationProperty
	private final ObservationProperties observation = new ObservationProperties();

	@NestedConfigurationProperty
	private final AccessLogProperties accessLog = new AccessLogProperties();

	private ServerMode mode = ServerMode.ALONE;

	private final Validation validation = new Validation();

	public boolean isEnabled() {
		return this.enabled;
	}

	public void setEnabled(boolean enabled) {
		this.enabled = enabled;
	}

	public @Nullable String getAddress() {
		return this.address;
	}

	public void setAddress(@Nullable String address) {
		this.address = address;
	}

	public int getPort() {
		return this.port;
	}

	public void setPort(int port) {
		this.port = port;
	}

	public Backend getBackend() {
		return this.backend;
	}

	public void setBackend(Backend backend) {
		this.backend = backend;
	}

	public @Nullable Integer getWorkers() {
		return this.workers;
	}

	public void setWorkers(@Nullable Integer workers) {
		this.workers = workers;
	}

	public int getMaxConcurrentCallsPerConnection() {
		return this.maxConcurrentCallsPerConnection;
	}

	public void setMaxConcurrentCallsPerConnection(int maxConcurrentCallsPerConnection) {
		this.maxConcurrentCallsPerConnection = maxConcurrentCallsPerConnection;
	}

	public Duration getHandshakeTimeout() {
		return this.handshakeTimeout;
	}

	public void setHandshakeTimeout(Duration handshakeTimeout) {
		this.handshakeTimeout = handshakeTimeout;
	}

	public ExecutorProperties getExecutor() {
		return this.executor;
	}

	public FlowControlProperties getFlowControl() {
		return this.flowControl;
	}

	public InboundProperties getInbound() {
		return this.inbound;
	}

	public KeepaliveProperties getKeepalive() {
		return this.keepalive;
	}

	public GuardProperties getGuard() {
		return this.guard;
	}

	public ShutdownProperties getShutdown() {
		return this.shutdown;
	}

	public Inprocess getInprocess() {
		return this.inprocess;
	}

	public Factory getFactory() {
		return this.factory;
	}

	public Reflection getReflection() {
		return this.reflection;
	}

	public MetricsProperties getMetrics() {
		return this.metrics;
	}

	public ObservationProperties getObservation() {
		return this.observation;
	}

	public AccessLogProperties getAccessLog() {
		return this.accessLog;
	}

	public Validation getValidation() {
		return this.validation;
	}

	/**
	 * Returns the name under which a property was read.
	 * @param key what follows the prefix
	 * @return the whole name
	 */
	String name(String key) {
		return this.mode.property(key);
	}

	ServerMode mode() {
		return this.mode;
	}

	void readBesideSpringBoot() {
		this.mode = ServerMode.BESIDE_SPRING_BOOT;
	}

	/**
	 * The server for clients in the same Java virtual machine.
	 */
	public static class Inprocess {

		/**
		 * Name of an in-process server with the same services; needs 'grpc-inprocess'. By
		 * default, there is none.
		 */
		private @Nullable String name;

		public @Nullable String getName() {
			return this.name;
		}

		public void setName(@Nullable String name) {
			this.name = name;
		}

	}

	/**
	 * The server on the network.
	 */
	public static class Factory {

		/**
		 * Whether to listen on the network. Without, there is still the in-process
		 * server, if it has a name.
		 */
		private boolean enabled = true;

		public boolean isEnabled() {
			return this.enabled;
		}

		public void setEnabled(boolean enabled) {
			this.enabled = enabled;
		}

	}

	/**
	 * What tools may ask.
	 */
	public static class Reflection {

		/**
		 * Whether to serve 'grpc.reflection.v1.ServerReflection' and its predecessor
		 * 'v1alpha' beside the services of the application, unless one of them does.
		 */
		private boolean enabled = true;

		public boolean isEnabled() {
			return this.enabled;
		}

		public void setEnabled(boolean enabled) {
			this.enabled = enabled;
		}

	}

	/**
	 * What requests must be.
	 */
	public static class Validation {

		/**
		 * Whether to validate requests before a service sees them, by the rules of
		 * '.proto' files and the constraints of Jakarta Validation, where the libraries
		 * are there.
		 */
		private boolean enabled = true;

		public boolean isEnabled() {
			return this.enabled;
		}

		public void setEnabled(boolean enabled) {
			this.enabled = enabled;
		}

	}

}
