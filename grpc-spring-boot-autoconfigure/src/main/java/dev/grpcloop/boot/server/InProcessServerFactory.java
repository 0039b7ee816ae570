package dev.grpcloop.boot.server;

import java.util.ArrayList;
import java.util.List;

import dev.grpcloop.boot.executor.CallExecutor;
import dev.grpcloop.boot.executor.CallExecutorFactory;
import io.grpc.Server;
import io.grpc.ServerServiceDefinition;
import io.grpc.inprocess.InProcessServerBuilder;
import org.jspecify.annotations.Nullable;

import org.springframework.grpc.server.InProcessGrpcServerFactory;
import org.springframework.grpc.server.ServerBuilderCustomizer;
import org.springframework.grpc.server.ServerServiceDefinitionFilter;

/**
 * Makes servers for clients in the same Java virtual machine, with the services that the
 * one on the network has.
 */
public final class InProcessServerFactory extends InProcessGrpcServerFactory {

	private final String name;

	private final CallExecutorFactory executors;

	private final GrpcServices services;

	private final List<ServerServiceDefinition> addedServices = new ArrayList<>();

	private @Nullable ServerServiceDefinitionFilter serviceFilter;

	/**
	 * A factory without filters.
	 * @param name the name that clients ask for
	 * @param executors where service code runs; where that is the event loops, of which
	 * there are none here, it runs where methods run that are said to block
	 * @param services the services of the application
	 * @param customizers change the builder of each server, in this order
	 */
	public InProcessServerFactory(String name, CallExecutorFactory executors, GrpcServices services,
			List<ServerBuilderCustomizer<InProcessServerBuilder>> customizers) {
		super(name, customizers);
		this.name = name;
		this.executors = executors;
		this.services = services;
	}

	String name() {
		return this.name;
	}

	@Override
	public void setServiceFilter(@Nullable ServerServiceDefinitionFilter serviceFilter) {
		this.serviceFilter = serviceFilter;
	}

	@Override
	public void addService(ServerServiceDefinition service) {
		this.addedServices.add(service);
	}

	@Override
	public Server createServer() {
		return createServer(createExecutor());
	}

	CallExecutor createExecutor() {
		return this.executors.create();
	}

	/**
	 * Makes a server.
	 * @param executor where its calls run; the caller closes it
	 * @return a new server, not started
	 */
	Server createServer(CallExecutor executor) {
		List<ServerServiceDefinition> definitions = new ArrayList<>();
		this.addedServices.stream().filter(this::accepts).forEach(definitions::add);
		definitions.addAll(this.services.collect(this, this::accepts, new MethodPlacement(false)));
		definitions.addAll(this.services.companions(this, this::accepts, definitions));
		InProcessServerBuilder builder = newServerBuilder();
		executor.applyTo(builder);
		configure(builder, definitions);
		return builder.build();
	}

	private boolean accepts(ServerServiceDefinition service) {
		return this.serviceFilter == null || this.serviceFilter.filter(service, this);
	}

}
