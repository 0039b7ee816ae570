package dev.grpcloop.boot.test.sample;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

import io.grpc.Metadata;
import io.grpc.ServerCall;
import io.grpc.ServerCallHandler;
import io.grpc.ServerInterceptor;

import org.springframework.grpc.server.GlobalServerInterceptor;
import org.springframework.stereotype.Component;

/** Notes which methods were called. */
@Component
@GlobalServerInterceptor
public class CallLog implements ServerInterceptor {

	private final List<String> methods = new CopyOnWriteArrayList<>();

	@Override
	public <Q, R> ServerCall.Listener<Q> interceptCall(ServerCall<Q, R> call, Metadata headers,
			ServerCallHandler<Q, R> next) {
		this.methods.add(String.valueOf(call.getMethodDescriptor().getBareMethodName()));
		return next.startCall(call, headers);
	}

	public List<String> methods() {
		return this.methods;
	}

}
