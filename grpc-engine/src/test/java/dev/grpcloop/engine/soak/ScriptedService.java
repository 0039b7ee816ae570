package dev.grpcloop.engine.soak;

import java.util.concurrent.ScheduledExecutorService;

import com.google.protobuf.BytesValue;
import dev.grpcloop.engine.testproto.EchoGrpc;
import io.grpc.Metadata;
import io.grpc.ServerCall;
import io.grpc.ServerCallHandler;
import io.grpc.ServerServiceDefinition;
import io.grpc.Status;

/**
 * Does in each call what the call's script says. A call of a stranger ends when its
 * client has sent all.
 */
final class ScriptedService implements ServerCallHandler<BytesValue, BytesValue> {

	private final Ledger ledger;

	private final ScheduledExecutorService timer;

	ScriptedService(Ledger ledger, ScheduledExecutorService timer) {
		this.ledger = ledger;
		this.timer = timer;
	}

	ServerServiceDefinition definition() {
		ServerServiceDefinition.Builder definition = ServerServiceDefinition.builder(EchoGrpc.SERVICE_NAME);
		for (Script.Kind kind : Script.Kind.values()) {
			definition.addMethod(kind.method, this);
		}
		return definition.build();
	}

	@Override
	public ServerCall.Listener<BytesValue> startCall(ServerCall<BytesValue, BytesValue> call, Metadata headers) {
		CallRecord record = this.ledger.find(headers);
		if (record != null) {
			return new ServedScript(record, call, this.timer, headers);
		}
		call.request(Integer.MAX_VALUE);
		return new ServerCall.Listener<>() {

			@Override
			public void onHalfClose() {
				call.close(Status.UNIMPLEMENTED, new Metadata());
			}

		};
	}

}
