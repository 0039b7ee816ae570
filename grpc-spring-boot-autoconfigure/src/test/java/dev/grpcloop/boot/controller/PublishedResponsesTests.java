package dev.grpcloop.boot.controller;

import java.util.List;
import java.util.concurrent.CompletionException;
import java.util.concurrent.Flow;
import java.util.concurrent.atomic.AtomicInteger;

import dev.grpcloop.boot.test.v1.GreeterGrpc;
import dev.grpcloop.boot.test.v1.HelloRequest;
import dev.grpcloop.boot.test.v1.HelloResponse;
import io.grpc.Status;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Flux;

import static org.assertj.core.api.Assertions.assertThat;

class PublishedResponsesTests {

	private final FakeServerCall<HelloRequest, HelloResponse> call = new FakeServerCall<>(
			GreeterGrpc.getRepeatMethod());

	private final PublishedResponses<HelloResponse> responses = new PublishedResponses<>(new CallResponses<>(this.call,
			new BoundMethod("repeat", rpc(), new MethodShape(RequestKind.MESSAGE, ResponseKind.FLUX, List.of()), null),
			null));

	private static RpcContract rpc() {
		return new RpcContract(GreeterGrpc.getRepeatMethod(), HelloRequest.class, HelloResponse.class);
	}

	@Test
	void aPublisherIsAskedForABatchWhenTheCallIsReady() {
		AtomicInteger published = new AtomicInteger();
		Flux<HelloResponse> flux = Flux.range(0, 100)
			.map((number) -> HelloResponse.getDefaultInstance())
			.doOnNext((response) -> {
				this.call.ready = false;
				published.incrementAndGet();
			});
		this.call.ready = false;
		ReactorBridge.publisher(flux).subscribe(cast(this.responses));
		assertThat(published).hasValue(0);
		this.call.ready = true;
		this.responses.ready();
		assertThat(published).hasValue(16);
		this.call.ready = true;
		this.responses.ready();
		assertThat(this.call.sent).hasSize(32);
	}

	@Test
	void aFailureIsBareOfWhatCarriesIt() {
		IllegalStateException failure = new IllegalStateException("bare");
		ReactorBridge.publisher(Flux.error(new CompletionException(failure))).subscribe(cast(this.responses));
		assertThat(this.call.closed.getCode()).isEqualTo(Status.Code.UNKNOWN);
		assertThat(this.call.closed.getCause()).isSameAs(failure);
	}

	@SuppressWarnings("unchecked")
	private static <T> Flow.Subscriber<T> cast(PublishedResponses<?> responses) {
		return (Flow.Subscriber<T>) responses;
	}

}
