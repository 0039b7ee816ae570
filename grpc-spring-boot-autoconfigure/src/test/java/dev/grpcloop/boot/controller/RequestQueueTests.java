package dev.grpcloop.boot.controller;

import java.util.NoSuchElementException;

import dev.grpcloop.boot.test.v1.GreeterGrpc;
import dev.grpcloop.boot.test.v1.HelloRequest;
import dev.grpcloop.boot.test.v1.HelloResponse;
import dev.grpcloop.boot.testsupport.GreeterService;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

class RequestQueueTests {

	private final FakeServerCall<HelloRequest, HelloResponse> call = new FakeServerCall<>(
			GreeterGrpc.getCollectMethod());

	private final RequestQueue<HelloRequest> queue = new RequestQueue<>(this.call, false);

	@Test
	void noMoreIsAskedForThanThereAreFreePlaces() {
		this.queue.open();
		int waiting = 0;
		int taken = 0;
		while (taken < 1000) {
			for (int asked = this.call.takeRequested(); asked > 0; asked--) {
				this.queue.add(GreeterService.request("Ada"));
				waiting++;
			}
			assertThat(waiting).isPositive().isLessThanOrEqualTo(RequestQueue.CAPACITY);
			this.queue.next();
			waiting--;
			taken++;
		}
	}

	@Test
	void nothingIsAskedForAfterTheEnd() {
		this.queue.open();
		assertThat(this.call.takeRequested()).isEqualTo(RequestQueue.CAPACITY);
		for (int i = 0; i < RequestQueue.CAPACITY; i++) {
			this.queue.add(GreeterService.request("Ada"));
		}
		this.queue.end();
		while (this.queue.hasNext()) {
			this.queue.next();
		}
		assertThat(this.call.takeRequested()).isZero();
		assertThatExceptionOfType(NoSuchElementException.class).isThrownBy(this.queue::next);
	}

	@Test
	void whatWaitsIsGoneWithTheCall() {
		this.queue.add(GreeterService.request("Ada"));
		this.queue.cancel(Status.DEADLINE_EXCEEDED, () -> {
		});
		this.queue.add(GreeterService.request("Grace"));
		assertThatExceptionOfType(StatusRuntimeException.class).isThrownBy(this.queue::next)
			.satisfies((ex) -> assertThat(ex.getStatus().getCode()).isEqualTo(Status.Code.DEADLINE_EXCEEDED));
	}

	@Test
	void anInterruptEndsTheWaitAndIsKept() {
		Thread.currentThread().interrupt();
		assertThatExceptionOfType(StatusRuntimeException.class).isThrownBy(this.queue::hasNext)
			.satisfies((ex) -> assertThat(ex.getStatus().getCode()).isEqualTo(Status.Code.CANCELLED));
		assertThat(Thread.interrupted()).isTrue();
	}

}
