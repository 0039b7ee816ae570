package dev.grpcloop.boot.testsupport;

import java.util.ArrayList;
import java.util.List;

import dev.grpcloop.boot.test.v1.GreeterGrpc;
import dev.grpcloop.boot.test.v1.HelloRequest;
import dev.grpcloop.boot.test.v1.HelloResponse;
import io.grpc.Status;
import io.grpc.stub.StreamObserver;

import org.springframework.grpc.server.service.GrpcService;

/**
 * Greets. The name {@code absent} is answered with NOT_FOUND, {@code broken} with an
 * exception.
 */
@GrpcService
public class GreeterService extends GreeterGrpc.GreeterImplBase {

	public static final int REPEATS = 3;

	@Override
	public void hello(HelloRequest request, StreamObserver<HelloResponse> responses) {
		switch (request.getName()) {
			case "absent" -> responses.onError(Status.NOT_FOUND.withDescription("no such name").asRuntimeException());
			case "failed" -> responses.onError(new IllegalArgumentException("failed"));
			case "broken" -> throw new IllegalStateException("broken");
			default -> {
				responses.onNext(greeting(request.getName()));
				responses.onCompleted();
			}
		}
	}

	@Override
	public void repeat(HelloRequest request, StreamObserver<HelloResponse> responses) {
		for (int i = 0; i < REPEATS; i++) {
			responses.onNext(greeting(request.getName()));
		}
		responses.onCompleted();
	}

	@Override
	public StreamObserver<HelloRequest> collect(StreamObserver<HelloResponse> responses) {
		List<String> names = new ArrayList<>();
		return new RequestObserver(responses, (request) -> names.add(request.getName()),
				() -> responses.onNext(greeting(String.join(" and ", names))));
	}

	@Override
	public StreamObserver<HelloRequest> chat(StreamObserver<HelloResponse> responses) {
		return new RequestObserver(responses, (request) -> responses.onNext(greeting(request.getName())), () -> {
		});
	}

	public static HelloRequest request(String name) {
		return HelloRequest.newBuilder().setName(name).build();
	}

	public static HelloResponse greeting(String name) {
		return HelloResponse.newBuilder().setMessage("Hello " + name).build();
	}

	private record RequestObserver(StreamObserver<HelloResponse> responses,
			java.util.function.Consumer<HelloRequest> message, Runnable end) implements StreamObserver<HelloRequest> {

		@Override
		public void onNext(HelloRequest request) {
			this.message.accept(request);
		}

		@Override
		public void onError(Throwable ex) {
			// the call was cancelled: nobody is left to answer
		}

		@Override
		public void onCompleted() {
			this.end.run();
			this.responses.onCompleted();
		}

	}

}
