package dev.grpcloop.boot.endpoint;

import java.util.List;
import java.util.Map;

import org.jspecify.annotations.Nullable;

/**
 * What there is to say of the gRPC server. Counts are since the start of the application
 * and never fall; times are in seconds.
 *
 * @param server the server as a whole
 * @param uncounted why there are no counts, or {@code null} if there are
 * @param calls all calls together
 * @param services the services and their methods
 * @param unknownMethods the calls to methods that the server does not know
 * @param connections the connections
 * @param streams the HTTP/2 streams
 * @param bytes the bytes on the wire and in memory
 * @param guards how often each protection has tripped
 * @param loops the event loops
 * @param limits the limits in force, by the names of their properties
 * @param clients the clients with the most connections, or {@code null} if they are not
 * to be shown
 */
record GrpcReport(ServerReport server, @Nullable String uncounted, @Nullable CallsReport calls,
		List<ServiceReport> services, @Nullable MethodReport unknownMethods, @Nullable ConnectionsReport connections,
		@Nullable StreamsReport streams, BytesReport bytes, @Nullable Map<String, Long> guards,
		@Nullable List<LoopReport> loops, Map<String, Object> limits, @Nullable List<ClientReport> clients) {
}
