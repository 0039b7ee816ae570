package dev.grpcloop.engine.http2;

import java.util.List;

import dev.grpcloop.engine.call.CallEnvironment;
import io.grpc.ServerTransportFilter;

/**
 * What all connections of a server share. Immutable.
 *
 * @param calls what their calls share
 * @param policy what the server grants its peers
 * @param acceptEncoding the message encodings the server understands, as
 * grpc-accept-encoding lists them; empty for none
 * @param filters hear of a connection once its preface has come, and of its end
 * @param owner hears of a connection's beginning and end
 */
public record ConnectionEnvironment(CallEnvironment calls, ConnectionPolicy policy, byte[] acceptEncoding,
		List<ServerTransportFilter> filters, ConnectionOwner owner) {
}
