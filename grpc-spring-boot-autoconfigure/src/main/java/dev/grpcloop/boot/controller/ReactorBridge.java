package dev.grpcloop.boot.controller;

import java.util.concurrent.CompletionStage;
import java.util.concurrent.Flow;

import reactor.adapter.JdkFlowAdapter;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * What Reactor's types are in terms of Java's own. To be used only for methods that have
 * such types.
 */
final class ReactorBridge {

	private ReactorBridge() {
	}

	static Object flux(Flow.Publisher<?> publisher) {
		return JdkFlowAdapter.flowPublisherToFlux(publisher);
	}

	static Flow.Publisher<?> publisher(Object flux) {
		return JdkFlowAdapter.publisherToFlowPublisher((Flux<?>) flux);
	}

	/**
	 * Subscribes. An empty {@link Mono} completes the stage with {@code null}; cancelling
	 * the stage cancels the subscription.
	 */
	static CompletionStage<?> stage(Object mono) {
		return ((Mono<?>) mono).toFuture();
	}

}
