package dev.grpcloop.boot.controller;

import java.util.ArrayList;
import java.util.List;

import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import io.grpc.ServerCall;
import io.grpc.Status;
import org.jspecify.annotations.Nullable;

/**
 * A call without a transport.
 */
final class FakeServerCall<Q, R> extends ServerCall<Q, R> {

	private final MethodDescriptor<Q, R> method;

	final List<R> sent = new ArrayList<>();

	int requested;

	boolean ready = true;

	volatile boolean cancelled;

	@Nullable Status closed;

	FakeServerCall(MethodDescriptor<Q, R> method) {
		this.method = method;
	}

	@Override
	public synchronized void request(int count) {
		this.requested += count;
	}

	/** Gives away what was requested. */
	synchronized int takeRequested() {
		int taken = this.requested;
		this.requested = 0;
		return taken;
	}

	@Override
	public void sendHeaders(Metadata headers) {
	}

	@Override
	public void sendMessage(R message) {
		this.sent.add(message);
	}

	@Override
	public void close(Status status, Metadata trailers) {
		this.closed = status;
	}

	@Override
	public boolean isReady() {
		return this.ready && this.closed == null;
	}

	@Override
	public boolean isCancelled() {
		return this.cancelled;
	}

	@Override
	public MethodDescriptor<Q, R> getMethodDescriptor() {
		return this.method;
	}

}
