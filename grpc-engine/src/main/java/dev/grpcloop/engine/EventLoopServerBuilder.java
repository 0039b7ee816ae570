package dev.grpcloop.engine;

import java.io.File;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.function.Predicate;

import dev.grpcloop.engine.http2.AbuseLimits;
import dev.grpcloop.engine.http2.ConnectionLife;
import dev.grpcloop.engine.http2.ConnectionLimits;
import dev.grpcloop.engine.http2.ConnectionPolicy;
import dev.grpcloop.engine.http2.MemoryBudget;
import dev.grpcloop.engine.telemetry.EngineTelemetry;
import dev.grpcloop.engine.transport.TransportSelection;
import io.grpc.BindableService;
import io.grpc.CompressorRegistry;
import io.grpc.DecompressorRegistry;
import io.grpc.HandlerRegistry;
import io.grpc.MethodDescriptor;
import io.grpc.MetricSink;
import io.grpc.ServerBuilder;
import io.grpc.ServerCallExecutorSupplier;
import io.grpc.ServerInterceptor;
import io.grpc.ServerServiceDefinition;
import io.grpc.ServerStreamTracer;
import io.grpc.ServerTransportFilter;
import io.netty.channel.IoEventLoopGroup;
import io.netty.util.concurrent.EventExecutor;
import org.jspecify.annotations.Nullable;

/**
 * Builds an {@link EventLoopServer}. Every method of {@link ServerBuilder} either works
 * or throws {@link UnsupportedOperationException}; none is ignored.
 */
public final class EventLoopServerBuilder extends ServerBuilder<EventLoopServerBuilder> {

	static final int DEFAULT_MAX_CONCURRENT_CALLS = 1000;

	static final int DEFAULT_MAX_MESSAGE_SIZE = 4 * 1024 * 1024;

	static final int DEFAULT_MAX_METADATA_SIZE = 8192;

	static final int DEFAULT_FLOW_CONTROL_WINDOW = 1024 * 1024;

	/** Longer times mean for ever, as they do for grpc-java. */
	private static final long LONGEST_NANOS = TimeUnit.DAYS.toNanos(1000);

	private final List<SocketAddress> addresses = new ArrayList<>();

	private final Map<String, ServerServiceDefinition> services = new LinkedHashMap<>();

	private final List<ServerInterceptor> interceptors = new ArrayList<>();

	private Backend backend = Backend.AUTO;

	private int workers = Runtime.getRuntime().availableProcessors();

	private @Nullable IoEventLoopGroup eventLoopGroup;

	private boolean direct;

	private @Nullable Executor executor;

	private @Nullable ServerCallExecutorSupplier executorSupplier;

	private Function<MethodDescriptor<?, ?>, @Nullable Boolean> placement = (method) -> null;

	private Duration blockedThreshold = Duration.ofMillis(100);

	private int maxBufferedPerCall = 64 * 1024 * 1024;

	private long maxBufferedBytes = MemoryBudget.defaultLimit();

	private final List<ServerTransportFilter> transportFilters = new ArrayList<>();

	private final List<ServerStreamTracer.Factory> tracerFactories = new ArrayList<>();

	private @Nullable HandlerRegistry fallbackRegistry;

	private int maxConcurrentCallsPerConnection = DEFAULT_MAX_CONCURRENT_CALLS;

	private int maxInboundMessageSize = DEFAULT_MAX_MESSAGE_SIZE;

	private int maxInboundMetadataSize = DEFAULT_MAX_METADATA_SIZE;

	private int flowControlWindow = DEFAULT_FLOW_CONTROL_WINDOW;

	private CompressorRegistry compressors = CompressorRegistry.getDefaultInstance();

	private DecompressorRegistry decompressors = DecompressorRegistry.getDefaultInstance();

	private long handshakeNanos = ConnectionLife.DEFAULT.handshakeNanos();

	private long headersNanos = ConnectionLife.DEFAULT.headersNanos();

	private long stallNanos = ConnectionLife.DEFAULT.stallNanos();

	private long keepAliveNanos = ConnectionLife.DEFAULT.keepAliveNanos();

	private long keepAliveTimeoutNanos = ConnectionLife.DEFAULT.keepAliveTimeoutNanos();

	private long permitNanos = ConnectionLife.DEFAULT.permitNanos();

	private boolean permitWithoutCalls = ConnectionLife.DEFAULT.permitWithoutCalls();

	private long maxIdleNanos = ConnectionLife.DEFAULT.maxIdleNanos();

	private long maxAgeNanos = ConnectionLife.DEFAULT.maxAgeNanos();

	private long ageGraceNanos = ConnectionLife.DEFAULT.ageGraceNanos();

	private AbuseLimits abuseLimits = AbuseLimits.DEFAULT;

	private EngineTelemetry telemetry = EngineTelemetry.NOOP;

	private EventLoopServerBuilder(SocketAddress address) {
		addListenAddress(address);
	}

	/**
	 * A server on a port of every local address.
	 * @param port the TCP port, 0 to 65535; 0 takes a free one, see
	 * {@link EventLoopServer#getPort()}
	 * @return a new builder
	 * @throws IllegalArgumentException if the port is out of range
	 */
	public static EventLoopServerBuilder forPort(int port) {
		return new EventLoopServerBuilder(new InetSocketAddress(port));
	}

	/**
	 * A server on one local address.
	 * @param address the address to bind
	 * @return a new builder
	 */
	public static EventLoopServerBuilder forAddress(SocketAddress address) {
		return new EventLoopServerBuilder(address);
	}

	/**
	 * Adds another address to listen on.
	 * @param address the address to bind
	 * @return this builder
	 */
	public EventLoopServerBuilder addListenAddress(SocketAddress address) {
		this.addresses.add(Objects.requireNonNull(address, "address"));
		return this;
	}

	/**
	 * How the event loops talk to the operating system. Default: {@link Backend#AUTO}.
	 * @param backend the backend; an explicit one that is not available fails
	 * {@link #build()}
	 * @return this builder
	 */
	public EventLoopServerBuilder backend(Backend backend) {
		this.backend = Objects.requireNonNull(backend, "backend");
		return this;
	}

	/**
	 * How many event loops serve the connections. Default: one per processor.
	 * @param workers at least 1
	 * @return this builder
	 */
	public EventLoopServerBuilder workers(int workers) {
		this.workers = requirePositive(workers, "workers");
		return this;
	}

	/**
	 * Runs the server on event loops of the caller's, who closes them after the server
	 * has terminated. {@link #backend} and {@link #workers} are then the group's.
	 * @param group the group
	 * @return this builder
	 */
	public EventLoopServerBuilder eventLoopGroup(IoEventLoopGroup group) {
		this.eventLoopGroup = Objects.requireNonNull(group, "group");
		return this;
	}

	/**
	 * Runs service code on the event loops, with no hand-off: for services that never
	 * block. An executor given before serves the methods that {@link #placement} takes
	 * off the loops.
	 * @return this builder
	 */
	@Override
	public EventLoopServerBuilder directExecutor() {
		this.direct = true;
		return this;
	}

	/**
	 * Runs service code on an executor of the caller's, who shuts it down.
	 * @param executor the executor, or {@code null} for the default: a pool of cached
	 * threads that ends with the server
	 * @return this builder
	 */
	@Override
	public EventLoopServerBuilder executor(@Nullable Executor executor) {
		this.direct = false;
		this.executor = executor;
		return this;
	}

	/**
	 * Chooses the executor of a call by its headers. It is asked on the event loop and
	 * must not block; where it answers {@code null} the call runs where it would have run
	 * without it.
	 * @param executorSupplier the supplier
	 * @return this builder
	 */
	@Override
	public EventLoopServerBuilder callExecutor(ServerCallExecutorSupplier executorSupplier) {
		this.executorSupplier = Objects.requireNonNull(executorSupplier, "executorSupplier");
		return this;
	}

	/**
	 * Which methods run on the event loops, whatever {@link #executor} or
	 * {@link #directExecutor} says of the others. Asked once for each method.
	 * @param placement answers {@code true} for the event loop, {@code false} for the
	 * executor, {@code null} for the default
	 * @return this builder
	 */
	public EventLoopServerBuilder placement(Function<MethodDescriptor<?, ?>, @Nullable Boolean> placement) {
		this.placement = Objects.requireNonNull(placement, "placement");
		return this;
	}

	/**
	 * How long a callback of service code may hold an event loop before the server logs
	 * which method it is. Default: 100 ms.
	 * @param threshold at least 1 ms, or zero to not look
	 * @return this builder
	 */
	public EventLoopServerBuilder blockedThreshold(Duration threshold) {
		if (threshold.isNegative() || (!threshold.isZero() && threshold.toMillis() < 1)) {
			throw new IllegalArgumentException(
					"blockedThreshold is " + threshold + "; it must be at least 1 ms, or zero to not look");
		}
		this.blockedThreshold = threshold;
		return this;
	}

	/**
	 * How many bytes of responses a call may hold that its client does not read. A
	 * service that heeds {@code isReady} never comes near; a call beyond it ends with
	 * RESOURCE_EXHAUSTED. Default: 64 MiB.
	 * @param bytes at least 65536
	 * @return this builder
	 */
	public EventLoopServerBuilder maxBufferedPerCall(int bytes) {
		if (bytes < 65536) {
			throw new IllegalArgumentException("maxBufferedPerCall is " + bytes + " bytes; it must be at least 65536");
		}
		this.maxBufferedPerCall = bytes;
		return this;
	}

	/**
	 * How many bytes the server may hold for all its clients together: requests and parts
	 * of requests that no service has taken, responses that wait for credit or for the
	 * socket, and what each connection (8 KiB) and each open call (2 KiB and its header
	 * fields) costs by itself. Beyond it, connections that hold no more than their fair
	 * share, the limit divided by the connections but at least 16 KiB, are served as
	 * before; calls of others that need more end with RESOURCE_EXHAUSTED. Beyond twice as
	 * much all calls that need more do, and new connections are closed. Default: a
	 * quarter of the JVM's largest direct memory or heap, whichever is less.
	 * @param bytes at least 1 MiB
	 * @return this builder
	 */
	public EventLoopServerBuilder maxBufferedBytes(long bytes) {
		if (bytes < MemoryBudget.MIN_LIMIT) {
			throw new IllegalArgumentException("maxBufferedBytes is " + bytes + " bytes; it must be at least "
					+ MemoryBudget.MIN_LIMIT + " (1 MiB)");
		}
		this.maxBufferedBytes = bytes;
		return this;
	}

	/**
	 * Hears of connections, on their event loops. A filter that throws ends the
	 * connection.
	 * @param filter the filter
	 * @return this builder
	 */
	@Override
	public EventLoopServerBuilder addTransportFilter(ServerTransportFilter filter) {
		this.transportFilters.add(Objects.requireNonNull(filter, "filter"));
		return this;
	}

	@Override
	public EventLoopServerBuilder addStreamTracerFactory(ServerStreamTracer.Factory factory) {
		this.tracerFactories.add(Objects.requireNonNull(factory, "factory"));
		return this;
	}

	/**
	 * Adds a service.
	 * @param service the service
	 * @return this builder
	 * @throws IllegalStateException if a service of this name was added before
	 */
	@Override
	public EventLoopServerBuilder addService(ServerServiceDefinition service) {
		String name = service.getServiceDescriptor().getName();
		if (this.services.putIfAbsent(name, service) != null) {
			throw new IllegalStateException("The service " + name + " was added twice; remove one of the two");
		}
		return this;
	}

	@Override
	public EventLoopServerBuilder addService(BindableService bindableService) {
		return addService(bindableService.bindService());
	}

	/**
	 * Adds an interceptor for every call. The one added last runs first, as the base
	 * class says.
	 * @param interceptor the interceptor
	 * @return this builder
	 */
	@Override
	public EventLoopServerBuilder intercept(ServerInterceptor interceptor) {
		this.interceptors.add(Objects.requireNonNull(interceptor, "interceptor"));
		return this;
	}

	/**
	 * Is asked for methods that no service has, on the event loop: it must not block.
	 * @param fallbackRegistry the registry, or {@code null}
	 * @return this builder
	 */
	@Override
	public EventLoopServerBuilder fallbackHandlerRegistry(@Nullable HandlerRegistry fallbackRegistry) {
		this.fallbackRegistry = fallbackRegistry;
		return this;
	}

	/**
	 * The most calls a client may have open on one connection
	 * (SETTINGS_MAX_CONCURRENT_STREAMS, RFC 9113 section 6.5.2). Default: 1000.
	 * @param maxCalls at least 1
	 * @return this builder
	 */
	public EventLoopServerBuilder maxConcurrentCallsPerConnection(int maxCalls) {
		this.maxConcurrentCallsPerConnection = requirePositive(maxCalls, "maxConcurrentCallsPerConnection");
		return this;
	}

	/**
	 * The largest request message. A larger one ends its call with RESOURCE_EXHAUSTED.
	 * Default: 4 MiB.
	 * @param bytes at least 0
	 * @return this builder
	 */
	@Override
	public EventLoopServerBuilder maxInboundMessageSize(int bytes) {
		if (bytes < 0) {
			throw new IllegalArgumentException("maxInboundMessageSize is " + bytes + " bytes; it must be at least 0");
		}
		this.maxInboundMessageSize = bytes;
		return this;
	}

	/**
	 * The largest request metadata, counted as SETTINGS_MAX_HEADER_LIST_SIZE counts it
	 * (RFC 9113 section 6.5.2). Default: 8 KiB.
	 * @param bytes at least 1
	 * @return this builder
	 */
	@Override
	public EventLoopServerBuilder maxInboundMetadataSize(int bytes) {
		this.maxInboundMetadataSize = requirePositive(bytes, "maxInboundMetadataSize");
		return this;
	}

	/**
	 * How many bytes a client may send on one call ahead of what the service has taken
	 * (SETTINGS_INITIAL_WINDOW_SIZE, RFC 9113 section 6.9.2), and on a connection ahead
	 * of what the server has read. Messages may be larger. Default: 1 MiB.
	 * @param bytes at least 65535
	 * @return this builder
	 */
	public EventLoopServerBuilder flowControlWindow(int bytes) {
		if (bytes < 65535) {
			throw new IllegalArgumentException("flowControlWindow is " + bytes
					+ " bytes; it must be at least 65535, the initial window of HTTP/2");
		}
		this.flowControlWindow = bytes;
		return this;
	}

	/**
	 * How long a client may take to begin: to send the preface and its SETTINGS, and to
	 * acknowledge the server's. Default: 20 s.
	 * @param timeout more than 0
	 * @param unit its unit
	 * @return this builder
	 */
	@Override
	public EventLoopServerBuilder handshakeTimeout(long timeout, TimeUnit unit) {
		this.handshakeNanos = positive("handshakeTimeout", timeout, unit);
		return this;
	}

	/**
	 * How long a client may take to complete a header block or a frame that it has begun.
	 * Default: 30 s.
	 * @param timeout more than 0
	 * @param unit its unit
	 * @return this builder
	 */
	public EventLoopServerBuilder headersTimeout(long timeout, TimeUnit unit) {
		this.headersNanos = positive("headersTimeout", timeout, unit);
		return this;
	}

	/**
	 * How long a client may take no byte of what waits for it in the server before its
	 * connection is closed. A client that reads its socket and gives no flow-control
	 * credit is not meant. Default: 60 s.
	 * @param timeout more than 0
	 * @param unit its unit
	 * @return this builder
	 */
	public EventLoopServerBuilder writeStallTimeout(long timeout, TimeUnit unit) {
		this.stallNanos = positive("writeStallTimeout", timeout, unit);
		return this;
	}

	/**
	 * How long a client may be silent before the server pings it (gRPC A9). Default: 2 h.
	 * @param time more than 0; from 1000 days on, never
	 * @param unit its unit
	 * @return this builder
	 */
	@Override
	public EventLoopServerBuilder keepAliveTime(long time, TimeUnit unit) {
		this.keepAliveNanos = positive("keepAliveTime", time, unit);
		return this;
	}

	/**
	 * How long a client that was pinged may take to send anything at all before its
	 * connection is closed (gRPC A9). Default: 20 s.
	 * @param timeout more than 0
	 * @param unit its unit
	 * @return this builder
	 */
	@Override
	public EventLoopServerBuilder keepAliveTimeout(long timeout, TimeUnit unit) {
		this.keepAliveTimeoutNanos = positive("keepAliveTimeout", timeout, unit);
		return this;
	}

	/**
	 * How often a client may ping (gRPC A8). One that does so more often is told
	 * {@code too_many_pings} and loses its connection. Default: 5 min.
	 * @param time at least 0
	 * @param unit its unit
	 * @return this builder
	 */
	@Override
	public EventLoopServerBuilder permitKeepAliveTime(long time, TimeUnit unit) {
		if (time < 0) {
			throw new IllegalArgumentException("permitKeepAliveTime is " + time + "; it must be at least 0");
		}
		this.permitNanos = unit.toNanos(time);
		return this;
	}

	/**
	 * Whether a client may ping as often while it has no call. Otherwise it may every 2
	 * h. Default: {@code false}.
	 * @param permit whether it may
	 * @return this builder
	 */
	@Override
	public EventLoopServerBuilder permitKeepAliveWithoutCalls(boolean permit) {
		this.permitWithoutCalls = permit;
		return this;
	}

	/**
	 * How long a connection may have no call before its client is told to go (gRPC A9).
	 * Default: without limit.
	 * @param time more than 0; from 1000 days on, without limit
	 * @param unit its unit
	 * @return this builder
	 */
	@Override
	public EventLoopServerBuilder maxConnectionIdle(long time, TimeUnit unit) {
		this.maxIdleNanos = positive("maxConnectionIdle", time, unit);
		return this;
	}

	/**
	 * How old a connection may become, give or take a tenth, before its client is told to
	 * go (gRPC A9). Default: without limit.
	 * @param time more than 0; from 1000 days on, without limit
	 * @param unit its unit
	 * @return this builder
	 */
	@Override
	public EventLoopServerBuilder maxConnectionAge(long time, TimeUnit unit) {
		this.maxAgeNanos = positive("maxConnectionAge", time, unit);
		return this;
	}

	/**
	 * How long the calls of a connection that has become too old may go on. Default:
	 * without limit.
	 * @param time at least 0; from 1000 days on, without limit
	 * @param unit its unit
	 * @return this builder
	 */
	@Override
	public EventLoopServerBuilder maxConnectionAgeGrace(long time, TimeUnit unit) {
		if (time < 0) {
			throw new IllegalArgumentException("maxConnectionAgeGrace is " + time + "; it must be at least 0");
		}
		this.ageGraceNanos = limited(unit.toNanos(time));
		return this;
	}

	/**
	 * How much of what costs the server more than the client a client may do. Default:
	 * {@link AbuseLimits#DEFAULT}.
	 * @param limits the limits of each connection
	 * @return this builder
	 */
	public EventLoopServerBuilder abuseLimits(AbuseLimits limits) {
		this.abuseLimits = Objects.requireNonNull(limits, "limits");
		return this;
	}

	/**
	 * Where the numbers go. Default: nowhere. What the recorder throws while the server
	 * runs is logged and harms nothing; if it has no recorder to give when the server
	 * starts, {@link EventLoopServer#start()} throws {@link IllegalStateException}.
	 * @param telemetry the recorder
	 * @return this builder
	 */
	public EventLoopServerBuilder telemetry(EngineTelemetry telemetry) {
		this.telemetry = Objects.requireNonNull(telemetry, "telemetry");
		return this;
	}

	@Override
	public EventLoopServerBuilder useTransportSecurity(File certChain, File privateKey) {
		throw unsupported("useTransportSecurity", "the server speaks plaintext HTTP/2 only; end TLS in front of it");
	}

	/**
	 * How requests may be compressed.
	 * @param registry the registry, or {@code null} for grpc-java's default: gzip
	 * @return this builder
	 */
	@Override
	public EventLoopServerBuilder decompressorRegistry(@Nullable DecompressorRegistry registry) {
		this.decompressors = (registry != null) ? registry : DecompressorRegistry.getDefaultInstance();
		return this;
	}

	/**
	 * How responses may be compressed, if a call asks for it.
	 * @param registry the registry, or {@code null} for grpc-java's default: gzip
	 * @return this builder
	 */
	@Override
	public EventLoopServerBuilder compressorRegistry(@Nullable CompressorRegistry registry) {
		this.compressors = (registry != null) ? registry : CompressorRegistry.getDefaultInstance();
		return this;
	}

	@Override
	public EventLoopServerBuilder addMetricSink(MetricSink metricSink) {
		throw unsupported("addMetricSink", "use telemetry");
	}

	@Override
	public EventLoopServer build() {
		TransportSelection transport = (this.eventLoopGroup != null) ? TransportSelection.of(this.eventLoopGroup)
				: this.backend.select();
		int loops = (this.eventLoopGroup != null) ? count(this.eventLoopGroup) : this.workers;
		return new EventLoopServer(new ServerSettings(List.copyOf(this.addresses), List.copyOf(this.services.values()),
				List.copyOf(this.interceptors), this.fallbackRegistry, transport, loops, this.eventLoopGroup,
				placement(this.placement, this.direct), this.direct, this.executor, this.executorSupplier,
				this.blockedThreshold.toNanos(), policy(), this.maxInboundMessageSize, this.maxBufferedPerCall,
				this.maxBufferedBytes, this.compressors, this.decompressors, List.copyOf(this.transportFilters),
				List.copyOf(this.tracerFactories), guarded(this.telemetry)));
	}

	private static EngineTelemetry guarded(EngineTelemetry telemetry) {
		return (telemetry != EngineTelemetry.NOOP) ? new GuardedEngineTelemetry(telemetry) : telemetry;
	}

	private ConnectionPolicy policy() {
		ConnectionLimits limits = new ConnectionLimits(this.maxConcurrentCallsPerConnection, this.flowControlWindow,
				this.maxInboundMetadataSize);
		ConnectionLife life = new ConnectionLife(this.handshakeNanos, this.headersNanos, this.stallNanos,
				this.keepAliveNanos, this.keepAliveTimeoutNanos, this.permitNanos, this.permitWithoutCalls,
				this.maxIdleNanos, this.maxAgeNanos, this.ageGraceNanos);
		return new ConnectionPolicy(limits, life, this.abuseLimits);
	}

	private static Predicate<MethodDescriptor<?, ?>> placement(
			Function<MethodDescriptor<?, ?>, @Nullable Boolean> placement, boolean direct) {
		return (method) -> {
			Boolean onEventLoop = placement.apply(method);
			return (onEventLoop != null) ? onEventLoop : direct;
		};
	}

	private static int count(IoEventLoopGroup group) {
		int count = 0;
		for (EventExecutor loop : group) {
			count++;
		}
		return count;
	}

	private static int requirePositive(int value, String name) {
		if (value < 1) {
			throw new IllegalArgumentException(name + " is " + value + "; it must be at least 1");
		}
		return value;
	}

	private static long positive(String name, long time, TimeUnit unit) {
		if (time <= 0) {
			throw new IllegalArgumentException(name + " is " + time + " " + unit + "; it must be more than 0");
		}
		return limited(unit.toNanos(time));
	}

	private static long limited(long nanos) {
		return (nanos < LONGEST_NANOS) ? nanos : ConnectionLife.NEVER;
	}

	private static UnsupportedOperationException unsupported(String method, String remedy) {
		return new UnsupportedOperationException(method + " is not offered by the event-loop server: " + remedy);
	}

}
