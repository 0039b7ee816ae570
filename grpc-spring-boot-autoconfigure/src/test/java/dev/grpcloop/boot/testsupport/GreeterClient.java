package dev.grpcloop.boot.testsupport;

import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

import dev.grpcloop.boot.test.v1.GreeterGrpc;
import dev.grpcloop.boot.test.v1.HelloRequest;
import dev.grpcloop.boot.test.v1.HelloResponse;
import io.grpc.CallOptions;
import io.grpc.Channel;
import io.grpc.ManagedChannel;
import io.grpc.MethodDescriptor;
import io.grpc.netty.NettyChannelBuilder;
import io.grpc.stub.ClientCalls;
import io.grpc.stub.StreamObserver;

import org.springframework.context.ApplicationContext;

/**
 * The stock client, on one connection.
 */
public final class GreeterClient implements AutoCloseable {

	private static final long SECONDS = 20;

	private final ManagedChannel channel;

	public GreeterClient(String host, int port) {
		this.channel = NettyChannelBuilder.forAddress(host, port).usePlaintext().build();
	}

	public static GreeterClient of(ApplicationContext context) {
		return new GreeterClient("localhost",
				context.getEnvironment().getRequiredProperty("local.grpc.server.port", Integer.class));
	}

	public Channel channel() {
		return this.channel;
	}

	public String hello(String name) {
		return blocking().hello(GreeterService.request(name)).getMessage();
	}

	public CompletableFuture<String> helloLater(String name) {
		CompletableFuture<String> answer = new CompletableFuture<>();
		GreeterGrpc.newStub(this.channel).hello(GreeterService.request(name), new StreamObserver<>() {

			@Override
			public void onNext(HelloResponse response) {
				answer.complete(response.getMessage());
			}

			@Override
			public void onError(Throwable ex) {
				answer.completeExceptionally(ex);
			}

			@Override
			public void onCompleted() {
				// the answer was the message
			}

		});
		return answer;
	}

	public List<String> repeat(String name) {
		List<String> messages = new ArrayList<>();
		Iterator<HelloResponse> responses = blocking().repeat(GreeterService.request(name));
		responses.forEachRemaining((response) -> messages.add(response.getMessage()));
		return messages;
	}

	public List<String> collect(String... names) throws Exception {
		return stream(GreeterGrpc.newStub(this.channel)::collect, names);
	}

	public List<String> chat(String... names) throws Exception {
		return stream(GreeterGrpc.newStub(this.channel)::chat, names);
	}

	private List<String> stream(
			java.util.function.Function<StreamObserver<HelloResponse>, StreamObserver<HelloRequest>> call,
			String... names) throws Exception {
		List<String> messages = new ArrayList<>();
		CompletableFuture<List<String>> end = new CompletableFuture<>();
		StreamObserver<HelloRequest> requests = call.apply(new StreamObserver<>() {

			@Override
			public void onNext(HelloResponse response) {
				messages.add(response.getMessage());
			}

			@Override
			public void onError(Throwable ex) {
				end.completeExceptionally(ex);
			}

			@Override
			public void onCompleted() {
				end.complete(messages);
			}

		});
		for (String name : names) {
			requests.onNext(GreeterService.request(name));
		}
		requests.onCompleted();
		return end.get(SECONDS, TimeUnit.SECONDS);
	}

	/**
	 * Calls a method that the server does not have.
	 * @param fullMethodName its name
	 */
	public void callUnknown(String fullMethodName) {
		MethodDescriptor<HelloRequest, HelloResponse> method = GreeterGrpc.getHelloMethod()
			.toBuilder()
			.setFullMethodName(fullMethodName)
			.build();
		ClientCalls.blockingUnaryCall(this.channel, method,
				CallOptions.DEFAULT.withDeadlineAfter(SECONDS, TimeUnit.SECONDS), HelloRequest.getDefaultInstance());
	}

	private GreeterGrpc.GreeterBlockingStub blocking() {
		return GreeterGrpc.newBlockingStub(this.channel).withDeadlineAfter(SECONDS, TimeUnit.SECONDS);
	}

	@Override
	public void close() throws InterruptedException {
		this.channel.shutdownNow();
		this.channel.awaitTermination(SECONDS, TimeUnit.SECONDS);
	}

}
