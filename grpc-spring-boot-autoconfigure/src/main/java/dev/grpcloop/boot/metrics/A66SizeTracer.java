package dev.grpcloop.boot.metrics;

import java.util.concurrent.atomic.AtomicLong;

import io.grpc.ServerStreamTracer;
import io.grpc.Status;

/**
 * Adds up the sizes of the messages of one call.
 */
final class A66SizeTracer extends ServerStreamTracer {

	private final A66Sizes sizes;

	private final AtomicLong received = new AtomicLong();

	private final AtomicLong sent = new AtomicLong();

	A66SizeTracer(A66Sizes sizes) {
		this.sizes = sizes;
	}

	@Override
	public void inboundWireSize(long bytes) {
		this.received.addAndGet(bytes);
	}

	@Override
	public void outboundWireSize(long bytes) {
		this.sent.addAndGet(bytes);
	}

	@Override
	public void streamClosed(Status status) {
		this.sizes.record(status.getCode(), this.received.get(), this.sent.get());
	}

}
