package dev.grpcloop.boot.controller;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Flow;

import dev.grpcloop.boot.test.v1.GreeterGrpc;
import dev.grpcloop.boot.test.v1.HelloRequest;
import dev.grpcloop.boot.test.v1.HelloResponse;
import dev.grpcloop.boot.testsupport.GreeterService;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class RequestPublisherTests {

	private final FakeServerCall<HelloRequest, HelloResponse> call = new FakeServerCall<>(
			GreeterGrpc.getCollectMethod());

	private final RequestPublisher<HelloRequest> publisher = new RequestPublisher<>(this.call);

	@Test
	void theClientIsAskedForWhatTheSubscriberAsksFor() {
		Recorder subscriber = new Recorder(0);
		this.publisher.subscribe(subscriber);
		assertThat(this.call.takeRequested()).isZero();
		subscriber.subscription.request(3);
		assertThat(this.call.takeRequested()).isEqualTo(3);
		subscriber.subscription.request(2);
		assertThat(this.call.takeRequested()).isEqualTo(2);
	}

	@Test
	void unlimitedDemandIsPassedOnInPortions() {
		Recorder subscriber = new Recorder(Long.MAX_VALUE);
		this.publisher.subscribe(subscriber);
		int underWay = this.call.takeRequested();
		for (int i = 0; i < 1000; i++) {
			assertThat(underWay).isBetween(1, 16);
			this.publisher.add(GreeterService.request("Ada"));
			underWay += this.call.takeRequested() - 1;
		}
		assertThat(subscriber.requests).hasSize(1000);
	}

	@Test
	void demandThatAddsUpToMoreThanThereIsIsUnlimited() {
		Recorder subscriber = new Recorder(Long.MAX_VALUE - 1);
		this.publisher.subscribe(subscriber);
		subscriber.subscription.request(Long.MAX_VALUE);
		assertThat(this.call.takeRequested()).isEqualTo(16);
	}

	@Test
	void theEndIsToldOnceEvenIfItCameBeforeTheSubscriber() {
		this.publisher.end();
		Recorder subscriber = new Recorder(1);
		this.publisher.subscribe(subscriber);
		this.publisher.cancel(Status.CANCELLED, () -> {
		});
		assertThat(subscriber.ends).containsExactly("complete");
	}

	@Test
	void aCancelIsAnError() {
		Recorder subscriber = new Recorder(1);
		this.publisher.subscribe(subscriber);
		this.publisher.cancel(Status.DEADLINE_EXCEEDED, () -> {
		});
		assertThat(subscriber.ends).containsExactly("DEADLINE_EXCEEDED");
	}

	@Test
	void whoHasCancelledHearsNoMore() {
		Recorder subscriber = new Recorder(2);
		this.publisher.subscribe(subscriber);
		subscriber.subscription.cancel();
		this.publisher.add(GreeterService.request("Ada"));
		this.publisher.end();
		assertThat(subscriber.requests).isEmpty();
		assertThat(subscriber.ends).isEmpty();
	}

	@Test
	void aSecondSubscriberIsTurnedAway() {
		this.publisher.subscribe(new Recorder(1));
		Recorder second = new Recorder(1);
		this.publisher.subscribe(second);
		assertThat(second.ends)
			.containsExactly("java.lang.IllegalStateException: " + "The requests of a call can be subscribed to once");
	}

	@Test
	void demandThatIsNoneIsAnError() {
		Recorder subscriber = new Recorder(0);
		this.publisher.subscribe(subscriber);
		subscriber.subscription.request(-1);
		assertThat(subscriber.ends).singleElement().asString().contains("IllegalArgumentException");
	}

	private static final class Recorder implements Flow.Subscriber<HelloRequest> {

		private final long demand;

		private final List<HelloRequest> requests = new ArrayList<>();

		private final List<String> ends = new ArrayList<>();

		private Flow.@Nullable Subscription subscription;

		Recorder(long demand) {
			this.demand = demand;
		}

		@Override
		public void onSubscribe(Flow.Subscription subscription) {
			this.subscription = subscription;
			if (this.demand > 0) {
				subscription.request(this.demand);
			}
		}

		@Override
		public void onNext(HelloRequest request) {
			this.requests.add(request);
		}

		@Override
		public void onError(Throwable ex) {
			this.ends.add((ex instanceof StatusRuntimeException status) ? status.getStatus().getCode().name()
					: ex.toString());
		}

		@Override
		public void onComplete() {
			this.ends.add("complete");
		}

	}

}
