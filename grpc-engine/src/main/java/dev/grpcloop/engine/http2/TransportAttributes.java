package dev.grpcloop.engine.http2;

import java.net.SocketAddress;
import java.util.List;

import io.grpc.Attributes;
import io.grpc.Grpc;
import io.grpc.ServerTransportFilter;
import io.netty.channel.Channel;
import org.jspecify.annotations.Nullable;

/**
 * The attributes of a connection, as the transport filters of the server want them. Each
 * filter is called once when the connection is ready, and each that saw it ready once
 * when it has ended.
 * <p>
 * Owned by the event loop, but for {@link #get} and {@link #remoteAddress}.
 */
final class TransportAttributes {

	private final Channel channel;

	private final List<ServerTransportFilter> filters;

	private int told;

	/** Calls on other threads ask too. */
	private volatile @Nullable Attributes attributes;

	TransportAttributes(Channel channel, List<ServerTransportFilter> filters) {
		this.channel = channel;
		this.filters = filters;
	}

	/**
	 * Returns the attributes. Any thread.
	 */
	Attributes get() {
		Attributes known = this.attributes;
		if (known == null) {
			known = addresses();
			this.attributes = known;
		}
		return known;
	}

	/**
	 * Returns where the client is, without a word to the filters. Any thread.
	 */
	@Nullable SocketAddress remoteAddress() {
		return this.channel.remoteAddress();
	}

	private Attributes addresses() {
		Attributes.Builder builder = Attributes.newBuilder();
		builder.set(Grpc.TRANSPORT_ATTR_REMOTE_ADDR, this.channel.remoteAddress());
		builder.set(Grpc.TRANSPORT_ATTR_LOCAL_ADDR, this.channel.localAddress());
		return builder.build();
	}

	/**
	 * The connection is ready.
	 * @return {@code false} if a filter threw: it does not want the connection
	 */
	boolean ready() {
		if (this.filters.isEmpty()) {
			return true;
		}
		try {
			Attributes filtered = addresses();
			for (ServerTransportFilter filter : this.filters) {
				filtered = filter.transportReady(filtered);
				this.told++;
			}
			this.attributes = filtered;
			return true;
		}
		catch (Throwable ex) {
			Http2Connection.LOGGER.log(System.Logger.Level.WARNING,
					() -> "A transport filter threw in transportReady; " + this.channel + " is closed", ex);
			return false;
		}
	}

	/**
	 * The connection has ended.
	 */
	void terminated() {
		for (int i = 0; i < this.told; i++) {
			try {
				this.filters.get(i).transportTerminated(get());
			}
			catch (Throwable ex) {
				Http2Connection.LOGGER.log(System.Logger.Level.WARNING,
						"A transport filter threw in transportTerminated", ex);
			}
		}
		this.told = 0;
	}

}
