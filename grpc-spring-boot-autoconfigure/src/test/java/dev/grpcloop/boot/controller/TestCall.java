package dev.grpcloop.boot.controller;

import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

import dev.grpcloop.boot.test.v1.HelloRequest;
import dev.grpcloop.boot.test.v1.HelloResponse;
import io.grpc.CallOptions;
import io.grpc.Channel;
import io.grpc.ClientCall;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import io.grpc.Status;

/**
 * One call of the stock client, whose flow a test controls.
 */
final class TestCall extends ClientCall.Listener<HelloResponse> {

	private static final long SECONDS = 20;

	private final ClientCall<HelloRequest, HelloResponse> call;

	private final BlockingQueue<String> messages = new LinkedBlockingQueue<>();

	private final CompletableFuture<Status> status = new CompletableFuture<>();

	private volatile Metadata headers = new Metadata();

	private volatile Metadata trailers = new Metadata();

	private TestCall(ClientCall<HelloRequest, HelloResponse> call) {
		this.call = call;
	}

	static TestCall start(Channel channel, MethodDescriptor<HelloRequest, HelloResponse> method) {
		return start(channel, method, CallOptions.DEFAULT, Integer.MAX_VALUE);
	}

	static TestCall start(Channel channel, MethodDescriptor<HelloRequest, HelloResponse> method, CallOptions options,
			int responses) {
		return start(channel, method, options, responses, new Metadata());
	}

	static TestCall start(Channel channel, MethodDescriptor<HelloRequest, HelloResponse> method, CallOptions options,
			int responses, Metadata headers) {
		TestCall started = new TestCall(channel.newCall(method, options));
		started.call.start(started, headers);
		if (responses > 0) {
			started.call.request(responses);
		}
		return started;
	}

	TestCall send(String... names) {
		for (String name : names) {
			this.call.sendMessage(HelloRequest.newBuilder().setName(name).build());
		}
		return this;
	}

	TestCall end() {
		this.call.halfClose();
		return this;
	}

	void request(int responses) {
		this.call.request(responses);
	}

	void cancel() {
		this.call.cancel("The test cancels the call", null);
	}

	boolean isReady() {
		return this.call.isReady();
	}

	String next() throws InterruptedException {
		String message = this.messages.poll(SECONDS, TimeUnit.SECONDS);
		if (message == null) {
			throw new AssertionError("No response came");
		}
		return message;
	}

	Status status() throws Exception {
		return this.status.get(SECONDS, TimeUnit.SECONDS);
	}

	List<String> messages() throws Exception {
		status();
		return List.copyOf(this.messages);
	}

	Metadata headers() {
		return this.headers;
	}

	Metadata trailers() {
		return this.trailers;
	}

	@Override
	public void onHeaders(Metadata headers) {
		this.headers = headers;
	}

	@Override
	public void onMessage(HelloResponse message) {
		this.messages.add(message.getMessage());
	}

	@Override
	public void onClose(Status status, Metadata trailers) {
		this.trailers = trailers;
		this.status.complete(status);
	}

}
