package dev.grpcloop.boot.server;

import java.net.SocketAddress;
import java.util.ArrayList;
import java.util.List;

import dev.grpcloop.boot.executor.CallExecutor;
import dev.grpcloop.boot.executor.CallExecutorFactory;
import dev.grpcloop.engine.BackendUnavailableException;
import dev.grpcloop.engine.EventLoopServer;
import dev.grpcloop.engine.EventLoopServerBuilder;
import io.grpc.ServerServiceDefinition;
import org.jspecify.annotations.Nullable;

import org.springframework.boot.diagnostics.FailureAnalyzedException;
import org.springframework.grpc.server.DefaultGrpcServerFactory;
import org.springframework.grpc.server.ServerBuilderCustomizer;
import org.springframework.grpc.server.ServerServiceDefinitionFilter;

/**
 * Makes {@link EventLoopServer event-loop servers}, each with the services that the
 * application has at that moment. It is one of Spring gRPC's default kind, so that a
 * customizer can set the filters of such without knowing this server.
 */
public final class EventLoopGrpcServerFactory extends DefaultGrpcServerFactory<EventLoopServerBuilder> {

	private final SocketAddress address;

	private final ServerMode mode;

	private final CallExecutorFactory executors;

	private final GrpcServices services;

	private final List<ServerBuilderCustomizer<EventLoopServerBuilder>> customizers;

	private final List<ServerServiceDefinition> addedServices = new ArrayList<>();

	private @Nullable ServerServiceDefinitionFilter serviceFilter;

	private volatile @Nullable CallExecutor lastExecutor;

	/**
	 * A factory without filters.
	 * @param address the address to listen on
	 * @param mode under which names its properties were read, for those who get them
	 * wrong
	 * @param executors where service code runs
	 * @param services the services of the application
	 * @param customizers change the builder of each server, in this order
	 */
	public EventLoopGrpcServerFactory(SocketAddress address, ServerMode mode, CallExecutorFactory executors,
			GrpcServices services, List<ServerBuilderCustomizer<EventLoopServerBuilder>> customizers) {
		super(ServerAddress.format(address), customizers);
		this.address = address;
		this.mode = mode;
		this.executors = executors;
		this.services = services;
		this.customizers = List.copyOf(customizers);
	}

	ServerMode mode() {
		return this.mode;
	}

	@Override
	public void setServiceFilter(@Nullable ServerServiceDefinitionFilter serviceFilter) {
		this.serviceFilter = serviceFilter;
	}

	@Override
	public void addService(ServerServiceDefinition service) {
		this.addedServices.add(service);
	}

	/**
	 * Returns where the calls of the server run that was made last.
	 * @return its executor, closed if the server has ended; {@code null} before the first
	 */
	public @Nullable CallExecutor lastExecutor() {
		return this.lastExecutor;
	}

	/**
	 * Makes a server. It is started, and its executor closed, by
	 * {@link EventLoopGrpcServerLifecycle}.
	 * @return a new server, not started
	 * @throws FailureAnalyzedException if the configuration cannot be served
	 */
	@Override
	public EventLoopServer createServer() {
		return prepare().server();
	}

	/**
	 * Makes a server, with what belongs to it.
	 * @return a new server, not started
	 */
	PreparedServer prepare() {
		CallExecutor executor = this.executors.create();
		this.lastExecutor = executor;
		EventLoopServerBuilder builder = EventLoopServerBuilder.forAddress(this.address);
		executor.applyTo(builder);
		MethodPlacement placement = new MethodPlacement(executor.isEventLoop());
		services(placement).forEach(builder::addService);
		builder.placement(placement::of);
		this.customizers.forEach((customizer) -> customizer.customize(builder));
		try {
			return new PreparedServer(builder.build(), executor, this.address, this.mode);
		}
		catch (BackendUnavailableException ex) {
			throw BackendFailure.of(ex);
		}
		catch (IllegalArgumentException ex) {
			throw new FailureAnalyzedException(String.valueOf(ex.getMessage()),
					"Let the GrpcEventLoopProvider bean return a MultiThreadIoEventLoopGroup with one of those.", ex);
		}
	}

	private List<ServerServiceDefinition> services(MethodPlacement placement) {
		List<ServerServiceDefinition> services = new ArrayList<>();
		this.addedServices.stream().filter(this::accepts).forEach(services::add);
		services.addAll(this.services.collect(this, this::accepts, placement));
		services.addAll(this.services.companions(this, this::accepts, services));
		return services;
	}

	private boolean accepts(ServerServiceDefinition service) {
		return this.serviceFilter == null || this.serviceFilter.filter(service, this);
	}

	/**
	 * A server that was not started yet.
	 *
	 * @param server the server
	 * @param executor where its calls run
	 * @param address where it is going to listen
	 * @param mode under which names its properties were read
	 */
	record PreparedServer(EventLoopServer server, CallExecutor executor, SocketAddress address, ServerMode mode) {
	}

}
