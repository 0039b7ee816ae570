package dev.grpcloop.boot.accesslog;

import java.math.BigDecimal;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;

import io.grpc.Status;
import io.netty.util.NetUtil;
import org.jspecify.annotations.Nullable;

/**
 * A call that has ended.
 *
 * @param method the method that the client named
 * @param status how it ended
 * @param start when its headers came, in milliseconds since 1970
 * @param nanos how long it took, in nanoseconds
 * @param received the requests
 * @param sent the responses
 * @param peer the address of the client, or {@code null} if it is not known
 * @param authority the server that the client named, or {@code null} if it is not known
 * @param userAgent the client's software, or {@code null} if it has not said it
 */
record CallRecord(String method, Status.Code status, long start, long nanos, Messages received, Messages sent,
		@Nullable SocketAddress peer, @Nullable String authority, @Nullable String userAgent) {

	/**
	 * Returns all there is to write.
	 * @return the fields in their order: numbers, and texts that are escaped
	 */
	Map<String, Object> fields() {
		Map<String, Object> fields = new LinkedHashMap<>();
		fields.put("method", Escape.of(this.method));
		fields.put("status", this.status.name());
		fields.put("start", Instant.ofEpochMilli(this.start).toString());
		fields.put("duration", BigDecimal.valueOf(this.nanos, 9));
		fields.put("messagesReceived", this.received.count());
		fields.put("messagesSent", this.sent.count());
		fields.put("bytesReceived", this.received.bytes());
		fields.put("bytesSent", this.sent.bytes());
		put(fields, "peer", (this.peer != null) ? format(this.peer) : null);
		put(fields, "authority", this.authority);
		put(fields, "userAgent", this.userAgent);
		return fields;
	}

	private static void put(Map<String, Object> fields, String key, @Nullable String value) {
		if (value != null) {
			fields.put(key, Escape.of(value));
		}
	}

	private static String format(SocketAddress address) {
		return (address instanceof InetSocketAddress inet) ? NetUtil.toSocketAddressString(inet) : address.toString();
	}

	/**
	 * The messages of one direction.
	 *
	 * @param count how many
	 * @param bytes how large they were on the wire, all together
	 */
	record Messages(long count, long bytes) {
	}

}
