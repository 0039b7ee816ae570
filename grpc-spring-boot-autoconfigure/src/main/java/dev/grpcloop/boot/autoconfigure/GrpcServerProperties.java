package dev.grpcloop.boot.autoconfigure;

import java.time.Duration;
import java.time.temporal.ChronoUnit;

import dev.grpcloop.boot.executor.ExecutorMode;
import dev.grpcloop.engine.Backend;
import org.jspecify.annotations.Nullable;

import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.convert.DataSizeUnit;
import org.springframework.boot.convert.DurationUnit;
import org.springframework.util.unit.DataSize;
import org.springframework.util.unit.DataUnit;

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

	private final Executor executor = new Executor();

	private final FlowControl flowControl = new FlowControl();

	private final Inbound inbound = new Inbound();

	private final Shutdown shutdown = new Shutdown();

	private final Metrics metrics = new Metrics();

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

	public Executor getExecutor() {
		return this.executor;
	}

	public FlowControl getFlowControl() {
		return this.flowControl;
	}

	public Inbound getInbound() {
		return this.inbound;
	}

	public Shutdown getShutdown() {
		return this.shutdown;
	}

	public Metrics getMetrics() {
		return this.metrics;
	}

	/**
	 * Where service code runs.
	 */
	public static class Executor {

		/**
		 * Where service code runs. With 'auto', on virtual threads or on a pool as
		 * 'spring.threads.virtual.enabled' says; if that is not set, on virtual threads
		 * from Java 24. With 'event-loop', on the event loops: for services that never
		 * block.
		 */
		private ExecutorMode mode = ExecutorMode.AUTO;

		/**
		 * Maximum number of threads of the pool. Threads are made on demand.
		 */
		private int maxThreads = 200;

		/**
		 * Maximum number of calls that wait for a thread of the pool. Further calls end
		 * with RESOURCE_EXHAUSTED.
		 */
		private int queueCapacity = 10_000;

		/**
		 * How long service code may hold an event loop before the server logs which
		 * method it is. With 0, nobody looks.
		 */
		@DurationUnit(ChronoUnit.SECONDS)
		private Duration blockedThreshold = Duration.ofMillis(100);

		public ExecutorMode getMode() {
			return this.mode;
		}

		public void setMode(ExecutorMode mode) {
			this.mode = mode;
		}

		public int getMaxThreads() {
			return this.maxThreads;
		}

		public void setMaxThreads(int maxThreads) {
			this.maxThreads = maxThreads;
		}

		public Duration getBlockedThreshold() {
			return this.blockedThreshold;
		}

		public void setBlockedThreshold(Duration blockedThreshold) {
			this.blockedThreshold = blockedThreshold;
		}

		public int getQueueCapacity() {
			return this.queueCapacity;
		}

		public void setQueueCapacity(int queueCapacity) {
			this.queueCapacity = queueCapacity;
		}

	}

	/**
	 * What clients send.
	 */
	public static class Inbound {

		private final Message message = new Message();

		private final Metadata metadata = new Metadata();

		public Message getMessage() {
			return this.message;
		}

		public Metadata getMetadata() {
			return this.metadata;
		}

		/**
		 * Request messages.
		 */
		public static class Message {

			/**
			 * Maximum size of a request message. A number without a unit is bytes.
			 */
			@DataSizeUnit(DataUnit.BYTES)
			private DataSize maxSize = DataSize.ofMegabytes(4);

			public DataSize getMaxSize() {
				return this.maxSize;
			}

			public void setMaxSize(DataSize maxSize) {
				this.maxSize = maxSize;
			}

		}

		/**
		 * Request metadata.
		 */
		public static class Metadata {

			/**
			 * Maximum size of the metadata of a request. A number without a unit is
			 * bytes.
			 */
			@DataSizeUnit(DataUnit.BYTES)
			private DataSize maxSize = DataSize.ofKilobytes(8);

			public DataSize getMaxSize() {
				return this.maxSize;
			}

			public void setMaxSize(DataSize maxSize) {
				this.maxSize = maxSize;
			}

		}

	}

	/**
	 * How the server stops.
	 */
	public static class Shutdown {

		/**
		 * How long running calls may go on when the server stops. With '0' they are
		 * cancelled at once, with a negative value they may take as long as they need. A
		 * number without a unit is seconds.
		 */
		@DurationUnit(ChronoUnit.SECONDS)
		private Duration gracePeriod = Duration.ofSeconds(30);

		public Duration getGracePeriod() {
			return this.gracePeriod;
		}

		public void setGracePeriod(Duration gracePeriod) {
			this.gracePeriod = gracePeriod;
		}

	}

	/**
	 * What is measured.
	 */
	public static class Metrics {

		/**
		 * Whether to record the meters 'grpc.server' and 'grpc.engine' where Micrometer
		 * is there.
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
	 * Flow control properties.
	 */
	public static class FlowControl {

		/**
		 * Maximum size of the responses that one call may hold while its client does not
		 * read them. A call beyond it ends with RESOURCE_EXHAUSTED; services that heed
		 * 'isReady' never come near.
		 */
		@DataSizeUnit(DataUnit.BYTES)
		private DataSize maxBufferedPerCall = DataSize.ofMegabytes(64);

		public DataSize getMaxBufferedPerCall() {
			return this.maxBufferedPerCall;
		}

		public void setMaxBufferedPerCall(DataSize maxBufferedPerCall) {
			this.maxBufferedPerCall = maxBufferedPerCall;
		}

	}

}
