package dev.grpcloop.boot.metrics;

/**
 * Names under which calls can be measured beside {@code grpc.server}, for dashboards that
 * exist.
 */
public enum MeterNames {

	/**
	 * Those of gRPC's own libraries (gRFC A66): {@code grpc.server.call.started},
	 * {@code .duration}, {@code .sent_total_compressed_message_size} and
	 * {@code .rcvd_total_compressed_message_size}.
	 */
	A66,

	/**
	 * Those of net.devh's starter and of Micrometer's
	 * {@code MetricCollectingServerInterceptor}: {@code grpc.server.requests.received},
	 * {@code grpc.server.responses.sent} and {@code grpc.server.processing.duration}.
	 */
	NET_DEVH

}
