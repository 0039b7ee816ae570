package dev.grpcloop.boot.controller;

import java.net.SocketAddress;

import dev.grpcloop.boot.GrpcCallContext;
import io.grpc.Attributes;
import io.grpc.Context;
import io.grpc.Deadline;
import io.grpc.Grpc;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import io.grpc.ServerCall;
import org.jspecify.annotations.Nullable;

/**
 * What a method may know of its call. Made only for methods that ask for it.
 */
final class CallContext implements GrpcCallContext {

	private final ServerCall<?, ?> call;

	private final Metadata requestHeaders;

	private final @Nullable Deadline deadline = Context.current().getDeadline();

	private final Metadata responseHeaders = new Metadata();

	private final Metadata responseTrailers = new Metadata();

	/**
	 * To be made where the call's {@link Context} is current.
	 */
	CallContext(ServerCall<?, ?> call, Metadata requestHeaders) {
		this.call = call;
		this.requestHeaders = requestHeaders;
	}

	@Override
	public Metadata requestHeaders() {
		return this.requestHeaders;
	}

	@Override
	public Metadata responseHeaders() {
		return this.responseHeaders;
	}

	@Override
	public Metadata responseTrailers() {
		return this.responseTrailers;
	}

	@Override
	public void compression(String compressor) {
		this.call.setCompression(compressor);
	}

	@Override
	public void messageCompression(boolean enabled) {
		this.call.setMessageCompression(enabled);
	}

	@Override
	public @Nullable Deadline deadline() {
		return this.deadline;
	}

	@Override
	public @Nullable SocketAddress peer() {
		return attributes().get(Grpc.TRANSPORT_ATTR_REMOTE_ADDR);
	}

	@Override
	public @Nullable String authority() {
		return this.call.getAuthority();
	}

	@Override
	public Attributes attributes() {
		return this.call.getAttributes();
	}

	@Override
	public MethodDescriptor<?, ?> method() {
		return this.call.getMethodDescriptor();
	}

	@Override
	public boolean isCancelled() {
		return this.call.isCancelled();
	}

}
