package dev.grpcloop.boot.controller;

import java.lang.management.ManagementFactory;

import com.sun.management.ThreadMXBean;
import dev.grpcloop.boot.executor.CallExecutorFactory;
import dev.grpcloop.boot.executor.CallTaskExecutor;
import dev.grpcloop.boot.executor.ExecutorMode;
import dev.grpcloop.boot.test.v1.GreeterGrpc;
import dev.grpcloop.boot.test.v1.HelloRequest;
import dev.grpcloop.boot.test.v1.HelloResponse;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import io.grpc.ServerCall;
import io.grpc.ServerCallHandler;
import io.grpc.ServerServiceDefinition;
import io.grpc.Status;
import io.grpc.stub.StreamObserver;
import org.junit.jupiter.api.Test;

import org.springframework.beans.factory.support.StaticListableBeanFactory;
import org.springframework.mock.env.MockEnvironment;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * What a plain method costs beside one of a generated base class: not more than that, in
 * bytes allocated for a call.
 */
class CallCostTests {

	private static final int CALLS = 20_000;

	private static final HelloResponse RESPONSE = HelloResponse.newBuilder().setMessage("Hello").build();

	private static final HelloRequest REQUEST = HelloRequest.newBuilder().setName("Ada").build();

	@Test
	void aUnaryCallAllocatesNoMoreThanThatOfAStub() {
		long stub = bytesPerCall(new Stub().bindService());
		long plain = bytesPerCall(plain());
		assertThat(stub).as("the measure works").isPositive();
		assertThat(plain).isLessThanOrEqualTo(stub + stub / 20);
	}

	private static ServerServiceDefinition plain() {
		StaticListableBeanFactory beanFactory = new StaticListableBeanFactory();
		beanFactory.addBean("greeter", new Plain());
		beanFactory.addBean("tasks",
				new CallTaskExecutor(new CallExecutorFactory(ExecutorMode.PLATFORM, 1, 0, new MockEnvironment())));
		return ControllerBinding.of("greeter", GreeterGrpc.class, beanFactory).definition();
	}

	@SuppressWarnings("unchecked")
	private static long bytesPerCall(ServerServiceDefinition service) {
		ServerCallHandler<HelloRequest, HelloResponse> handler = (ServerCallHandler<HelloRequest, HelloResponse>) service
			.getMethod("test.v1.Greeter/Hello")
			.getServerCallHandler();
		NoCall call = new NoCall();
		Metadata headers = new Metadata();
		call(handler, call, headers);
		ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
		long before = threads.getCurrentThreadAllocatedBytes();
		call(handler, call, headers);
		return (threads.getCurrentThreadAllocatedBytes() - before) / CALLS;
	}

	private static void call(ServerCallHandler<HelloRequest, HelloResponse> handler, NoCall call, Metadata headers) {
		for (int i = 0; i < CALLS; i++) {
			ServerCall.Listener<HelloRequest> listener = handler.startCall(call, headers);
			call.held = listener;
			listener.onReady();
			listener.onMessage(REQUEST);
			listener.onHalfClose();
			listener.onComplete();
		}
	}

	static class Stub extends GreeterGrpc.GreeterImplBase {

		@Override
		public void hello(HelloRequest request, StreamObserver<HelloResponse> responses) {
			responses.onNext(RESPONSE);
			responses.onCompleted();
		}

	}

	static class Plain {

		public HelloResponse hello(HelloRequest request) {
			return RESPONSE;
		}

	}

	/** Drops everything, and holds what a server would hold. */
	private static final class NoCall extends ServerCall<HelloRequest, HelloResponse> {

		private volatile Object held = "";

		private volatile Object sent = "";

		@Override
		public void request(int count) {
		}

		@Override
		public void sendHeaders(Metadata headers) {
			this.sent = headers;
		}

		@Override
		public void sendMessage(HelloResponse message) {
			this.sent = message;
		}

		@Override
		public void close(Status status, Metadata trailers) {
			this.sent = trailers;
		}

		@Override
		public boolean isReady() {
			return true;
		}

		@Override
		public boolean isCancelled() {
			return false;
		}

		@Override
		public MethodDescriptor<HelloRequest, HelloResponse> getMethodDescriptor() {
			return GreeterGrpc.getHelloMethod();
		}

	}

}
