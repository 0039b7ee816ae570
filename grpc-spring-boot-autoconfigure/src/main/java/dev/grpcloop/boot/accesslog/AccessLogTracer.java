package dev.grpcloop.boot.accesslog;

import java.net.SocketAddress;
import java.util.function.Consumer;

import dev.grpcloop.boot.accesslog.CallRecord.Messages;
import io.grpc.Grpc;
import io.grpc.Metadata;
import io.grpc.ServerStreamTracer;
import io.grpc.Status;
import org.jspecify.annotations.Nullable;

/**
 * Follows one call to its end. One thread at a time tells of requests and one of
 * responses, not always the one that tells of the end.
 */
final class AccessLogTracer extends ServerStreamTracer {

	private static final Metadata.Key<String> USER_AGENT = Metadata.Key.of("user-agent",
			Metadata.ASCII_STRING_MARSHALLER);

	private final Consumer<CallRecord> log;

	private final String method;

	private final @Nullable String userAgent;

	private final long start = System.currentTimeMillis();

	private final long startNanos = System.nanoTime();

	private volatile @Nullable SocketAddress peer;

	private volatile @Nullable String authority;

	private volatile Messages received = new Messages(0, 0);

	private volatile Messages sent = this.received;

	/**
	 * A tracer of a call that begins.
	 * @param log takes what is known at its end
	 * @param method the method that the client named
	 * @param headers its headers
	 * @param peer the address of the client, if it is known yet
	 */
	AccessLogTracer(Consumer<CallRecord> log, String method, Metadata headers, @Nullable SocketAddress peer) {
		this.log = log;
		this.method = Escape.shorten(method);
		this.userAgent = shortened(headers.get(USER_AGENT));
		this.peer = peer;
	}

	private static @Nullable String shortened(@Nullable String text) {
		return (text != null) ? Escape.shorten(text) : null;
	}

	@Override
	public void serverCallStarted(ServerCallInfo<?, ?> call) {
		this.authority = shortened(call.getAuthority());
		if (this.peer == null) {
			this.peer = call.getAttributes().get(Grpc.TRANSPORT_ATTR_REMOTE_ADDR);
		}
	}

	@Override
	public void inboundMessageRead(int number, long wireSize, long uncompressedSize) {
		this.received = plus(this.received, wireSize);
	}

	@Override
	public void outboundMessageSent(int number, long wireSize, long uncompressedSize) {
		this.sent = plus(this.sent, wireSize);
	}

	/** A server in the same Java virtual machine has no wire, and no sizes. */
	private static Messages plus(Messages messages, long bytes) {
		return new Messages(messages.count() + 1, messages.bytes() + Math.max(bytes, 0));
	}

	@Override
	public void streamClosed(Status status) {
		this.log.accept(new CallRecord(this.method, status.getCode(), this.start, System.nanoTime() - this.startNanos,
				this.received, this.sent, this.peer, this.authority, this.userAgent));
	}

}
