package dev.grpcloop.boot.controller;

import java.util.Iterator;
import java.util.Spliterator;
import java.util.Spliterators;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Flow;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;

import dev.grpcloop.boot.Blocking;
import dev.grpcloop.boot.GrpcController;
import dev.grpcloop.boot.GrpcSink;
import dev.grpcloop.boot.test.v1.HelloRequest;
import dev.grpcloop.boot.test.v1.HelloResponse;
import reactor.adapter.JdkFlowAdapter;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * A method of every shape. What waits for requests is marked as blocking, so that it may
 * be served in every mode.
 */
@GrpcController(ShapesGrpc.class)
class ShapesController {

	public HelloResponse unaryMessage(HelloRequest request) {
		return greeting(request.getName());
	}

	public CompletionStage<HelloResponse> unaryStage(HelloRequest request) {
		return CompletableFuture.supplyAsync(() -> greeting(request.getName()));
	}

	public Mono<HelloResponse> unaryMono(HelloRequest request) {
		return Mono.fromSupplier(() -> greeting(request.getName()));
	}

	public Iterator<HelloResponse> serverIterator(HelloRequest request) {
		return repeated(request).iterator();
	}

	public Stream<HelloResponse> serverStream(HelloRequest request) {
		return repeated(request);
	}

	public Flow.Publisher<HelloResponse> serverPublisher(HelloRequest request) {
		return JdkFlowAdapter.publisherToFlowPublisher(Flux.fromStream(repeated(request)));
	}

	public Flux<HelloResponse> serverFlux(HelloRequest request) {
		return Flux.fromStream(repeated(request));
	}

	public void serverSink(HelloRequest request, GrpcSink<HelloResponse> responses) {
		repeated(request).forEach(responses::emit);
		responses.complete();
	}

	@Blocking
	public HelloResponse clientIteratorMessage(Iterator<HelloRequest> requests) {
		return joined(stream(requests));
	}

	@Blocking
	public CompletionStage<HelloResponse> clientIteratorStage(Iterator<HelloRequest> requests) {
		return CompletableFuture.supplyAsync(() -> joined(stream(requests)));
	}

	@Blocking
	public Mono<HelloResponse> clientIteratorMono(Iterator<HelloRequest> requests) {
		return Mono.fromSupplier(() -> joined(stream(requests)));
	}

	@Blocking
	public Iterator<HelloResponse> bidiIteratorIterator(Iterator<HelloRequest> requests) {
		return stream(requests).map((request) -> greeting(request.getName())).iterator();
	}

	@Blocking
	public Stream<HelloResponse> bidiIteratorStream(Iterator<HelloRequest> requests) {
		return stream(requests).map((request) -> greeting(request.getName()));
	}

	@Blocking
	public Flow.Publisher<HelloResponse> bidiIteratorPublisher(Iterator<HelloRequest> requests) {
		return JdkFlowAdapter
			.publisherToFlowPublisher(Flux.fromStream(stream(requests)).map((request) -> greeting(request.getName())));
	}

	@Blocking
	public Flux<HelloResponse> bidiIteratorFlux(Iterator<HelloRequest> requests) {
		return Flux.fromStream(stream(requests)).map((request) -> greeting(request.getName()));
	}

	@Blocking
	public void bidiIteratorSink(Iterator<HelloRequest> requests, GrpcSink<HelloResponse> responses) {
		stream(requests).forEach((request) -> responses.emit(greeting(request.getName())));
		responses.complete();
	}

	@Blocking
	public HelloResponse clientStreamMessage(Stream<HelloRequest> requests) {
		return joined(requests);
	}

	@Blocking
	public CompletionStage<HelloResponse> clientStreamStage(Stream<HelloRequest> requests) {
		return CompletableFuture.supplyAsync(() -> joined(requests));
	}

	@Blocking
	public Mono<HelloResponse> clientStreamMono(Stream<HelloRequest> requests) {
		return Mono.fromSupplier(() -> joined(requests));
	}

	@Blocking
	public Iterator<HelloResponse> bidiStreamIterator(Stream<HelloRequest> requests) {
		return requests.map((request) -> greeting(request.getName())).iterator();
	}

	@Blocking
	public Stream<HelloResponse> bidiStreamStream(Stream<HelloRequest> requests) {
		return requests.map((request) -> greeting(request.getName()));
	}

	@Blocking
	public Flow.Publisher<HelloResponse> bidiStreamPublisher(Stream<HelloRequest> requests) {
		return JdkFlowAdapter
			.publisherToFlowPublisher(Flux.fromStream(requests).map((request) -> greeting(request.getName())));
	}

	@Blocking
	public Flux<HelloResponse> bidiStreamFlux(Stream<HelloRequest> requests) {
		return Flux.fromStream(requests).map((request) -> greeting(request.getName()));
	}

	@Blocking
	public void bidiStreamSink(Stream<HelloRequest> requests, GrpcSink<HelloResponse> responses) {
		requests.forEach((request) -> responses.emit(greeting(request.getName())));
		responses.complete();
	}

	@Blocking
	public HelloResponse clientPublisherMessage(Flow.Publisher<HelloRequest> requests) {
		return joined(JdkFlowAdapter.flowPublisherToFlux(requests).toStream());
	}

	public CompletionStage<HelloResponse> clientPublisherStage(Flow.Publisher<HelloRequest> requests) {
		return JdkFlowAdapter.flowPublisherToFlux(requests).collectList().map((all) -> joined(all.stream())).toFuture();
	}

	public Mono<HelloResponse> clientPublisherMono(Flow.Publisher<HelloRequest> requests) {
		return JdkFlowAdapter.flowPublisherToFlux(requests).collectList().map((all) -> joined(all.stream()));
	}

	@Blocking
	public Iterator<HelloResponse> bidiPublisherIterator(Flow.Publisher<HelloRequest> requests) {
		return JdkFlowAdapter.flowPublisherToFlux(requests)
			.toStream()
			.map((request) -> greeting(request.getName()))
			.iterator();
	}

	@Blocking
	public Stream<HelloResponse> bidiPublisherStream(Flow.Publisher<HelloRequest> requests) {
		return JdkFlowAdapter.flowPublisherToFlux(requests).toStream().map((request) -> greeting(request.getName()));
	}

	public Flow.Publisher<HelloResponse> bidiPublisherPublisher(Flow.Publisher<HelloRequest> requests) {
		return JdkFlowAdapter.publisherToFlowPublisher(
				JdkFlowAdapter.flowPublisherToFlux(requests).map((request) -> greeting(request.getName())));
	}

	public Flux<HelloResponse> bidiPublisherFlux(Flow.Publisher<HelloRequest> requests) {
		return JdkFlowAdapter.flowPublisherToFlux(requests).map((request) -> greeting(request.getName()));
	}

	public void bidiPublisherSink(Flow.Publisher<HelloRequest> requests, GrpcSink<HelloResponse> responses) {
		JdkFlowAdapter.flowPublisherToFlux(requests)
			.subscribe((request) -> responses.emit(greeting(request.getName())), responses::error, responses::complete);
	}

	@Blocking
	public HelloResponse clientFluxMessage(Flux<HelloRequest> requests) {
		return joined(requests.toStream());
	}

	public CompletionStage<HelloResponse> clientFluxStage(Flux<HelloRequest> requests) {
		return requests.collectList().map((all) -> joined(all.stream())).toFuture();
	}

	public Mono<HelloResponse> clientFluxMono(Flux<HelloRequest> requests) {
		return requests.collectList().map((all) -> joined(all.stream()));
	}

	@Blocking
	public Iterator<HelloResponse> bidiFluxIterator(Flux<HelloRequest> requests) {
		return requests.toStream().map((request) -> greeting(request.getName())).iterator();
	}

	@Blocking
	public Stream<HelloResponse> bidiFluxStream(Flux<HelloRequest> requests) {
		return requests.toStream().map((request) -> greeting(request.getName()));
	}

	public Flow.Publisher<HelloResponse> bidiFluxPublisher(Flux<HelloRequest> requests) {
		return JdkFlowAdapter.publisherToFlowPublisher(requests.map((request) -> greeting(request.getName())));
	}

	public Flux<HelloResponse> bidiFluxFlux(Flux<HelloRequest> requests) {
		return requests.map((request) -> greeting(request.getName()));
	}

	public void bidiFluxSink(Flux<HelloRequest> requests, GrpcSink<HelloResponse> responses) {
		requests.subscribe((request) -> responses.emit(greeting(request.getName())), responses::error,
				responses::complete);
	}

	private static HelloResponse greeting(String name) {
		return HelloResponse.newBuilder().setMessage("Hello " + name).build();
	}

	private static Stream<HelloResponse> repeated(HelloRequest request) {
		return Stream.generate(() -> greeting(request.getName())).limit(3);
	}

	private static HelloResponse joined(Stream<HelloRequest> requests) {
		return greeting(requests.map(HelloRequest::getName).collect(Collectors.joining(" and ")));
	}

	private static Stream<HelloRequest> stream(Iterator<HelloRequest> requests) {
		return StreamSupport.stream(Spliterators.spliteratorUnknownSize(requests, Spliterator.ORDERED), false);
	}

}
