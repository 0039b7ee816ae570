package dev.grpcloop.boot.endpoint;

import dev.grpcloop.boot.server.ObservedServer;
import dev.grpcloop.boot.statistics.LoopStatistics;
import dev.grpcloop.boot.statistics.ServerStatistics;
import org.jspecify.annotations.Nullable;

/**
 * The bytes on the wire, HTTP/2 framing included, and those in memory.
 *
 * @param received how many were read from sockets
 * @param sent how many were handed to sockets
 * @param flushes how often something was handed to a socket
 * @param buffered how many the server holds for its clients
 */
record BytesReport(@Nullable Long received, @Nullable Long sent, @Nullable Long flushes, long buffered) {

	static BytesReport of(@Nullable ServerStatistics statistics, @Nullable ObservedServer observed) {
		long buffered = (observed != null) ? observed.server().getBufferedBytes() : 0;
		return (statistics != null)
				? new BytesReport(statistics.sum(LoopStatistics::bytesReceived),
						statistics.sum(LoopStatistics::bytesSent), statistics.sum(LoopStatistics::flushes), buffered)
				: new BytesReport(null, null, null, buffered);
	}

}
