package dev.grpcloop.engine.http2;

import java.util.List;

import io.grpc.Attributes;
import io.grpc.ServerTransportFilter;

/**
 * The transport filters of the server, as one connection calls them: each once when the
 * connection is ready, and each that saw it ready once when it has ended.
 */
final class TransportFilters {

	private final List<ServerTransportFilter> filters;

	private int told;

	TransportFilters(List<ServerTransportFilter> filters) {
		this.filters = filters;
	}

	/**
	 * The connection is ready.
	 * @return its attributes, as the filters want them
	 */
	Attributes ready(Attributes attributes) {
		Attributes filtered = attributes;
		for (ServerTransportFilter filter : this.filters) {
			filtered = filter.transportReady(filtered);
			this.told++;
		}
		return filtered;
	}

	void terminated(Attributes attributes) {
		for (int i = 0; i < this.told; i++) {
			try {
				this.filters.get(i).transportTerminated(attributes);
			}
			catch (RuntimeException ex) {
				Http2Connection.LOGGER.log(System.Logger.Level.WARNING,
						"A transport filter threw in transportTerminated", ex);
			}
		}
		this.told = 0;
	}

	boolean isEmpty() {
		return this.filters.isEmpty();
	}

}
