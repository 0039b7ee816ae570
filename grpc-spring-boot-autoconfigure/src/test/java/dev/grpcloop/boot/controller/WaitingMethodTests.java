package dev.grpcloop.boot.controller;

import java.util.Iterator;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;

import dev.grpcloop.boot.GrpcController;
import dev.grpcloop.boot.GrpcSink;
import dev.grpcloop.boot.NonBlocking;
import dev.grpcloop.boot.test.v1.GreeterGrpc;
import dev.grpcloop.boot.test.v1.HelloRequest;
import dev.grpcloop.boot.test.v1.HelloResponse;
import dev.grpcloop.boot.testsupport.GreeterService;
import io.grpc.CallOptions;
import io.grpc.Metadata;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.boot.diagnostics.FailureAnalyzedException;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/**
 * Methods that wait for requests: they run in tasks of their own, and whatever ends the
 * call wakes them.
 */
class WaitingMethodTests {

	private static final long SECONDS = 20;

	@Test
	void aCancelWakesAMethodThatWaitsForTheNextRequest() throws Exception {
		Echo echo = new Echo();
		try (ControllerServer server = ControllerServer.start(echo, "grpc.server.executor.mode=platform",
				"grpc.server.executor.max-threads=1")) {
			TestCall call = server.chat().send("Ada");
			assertThat(call.next()).isEqualTo("Hello Ada");
			call.cancel();
			assertThat(echo.end.get(SECONDS, TimeUnit.SECONDS)).isEqualTo(Status.Code.CANCELLED);
			assertThat(echo.interrupted).isTrue();
			assertThat(echo.nextTask(server)).as("the thread's next task").isFalse();
		}
	}

	@Test
	void aDeadlineWakesAMethodThatWaitsForTheNextRequest() throws Exception {
		Echo echo = new Echo();
		try (ControllerServer server = ControllerServer.start(echo)) {
			Metadata timeout = new Metadata();
			timeout.put(Metadata.Key.of("grpc-timeout", Metadata.ASCII_STRING_MARSHALLER), "300m");
			TestCall call = TestCall.start(server.client().channel(), GreeterGrpc.getChatMethod(), CallOptions.DEFAULT,
					10, timeout);
			call.send("Ada");
			assertThat(echo.end.get(SECONDS, TimeUnit.SECONDS)).isEqualTo(Status.Code.DEADLINE_EXCEEDED);
		}
	}

	@Test
	void aCancelInterruptsAMethodThatWaitsForSomethingElse() throws Exception {
		Sleeper sleeper = new Sleeper();
		try (ControllerServer server = ControllerServer.start(sleeper)) {
			TestCall call = server.collect().send("Ada");
			sleeper.started.await();
			call.cancel();
			assertThat(sleeper.interrupted.get(SECONDS, TimeUnit.SECONDS)).isTrue();
		}
	}

	@Test
	void aMethodMayAnswerWithoutReading() throws Exception {
		try (ControllerServer server = ControllerServer.start(new Impatient())) {
			TestCall collect = server.collect();
			assertThat(collect.messages()).containsExactly("Hello nobody");
			assertThat(collect.status().getCode()).isEqualTo(Status.Code.OK);
			TestCall chat = server.chat().send("Ada", "Grace");
			assertThat(chat.status().getCode()).isEqualTo(Status.Code.FAILED_PRECONDITION);
		}
	}

	@Test
	void manyRequestsArriveInOrderAndAreAskedForAsPlacesBecomeFree() throws Exception {
		Slow slow = new Slow();
		try (ControllerServer server = ControllerServer.start(slow)) {
			TestCall call = server.collect();
			for (int i = 0; i < 1000; i++) {
				call.send(String.valueOf(i));
			}
			call.end();
			slow.begin.countDown();
			assertThat(call.messages()).containsExactly("Hello 1000");
		}
	}

	@Test
	void whatFindsNoThreadIsResourceExhausted() throws Exception {
		Echo echo = new Echo();
		try (ControllerServer server = ControllerServer.start(echo, "grpc.server.executor.mode=platform",
				"grpc.server.executor.max-threads=1", "grpc.server.executor.queue-capacity=0")) {
			TestCall first = server.chat().send("Ada");
			assertThat(first.next()).isEqualTo("Hello Ada");
			TestCall second = server.chat().send("Grace");
			assertThat(second.status().getCode()).isEqualTo(Status.Code.RESOURCE_EXHAUSTED);
			first.end();
			assertThat(first.status().getCode()).isEqualTo(Status.Code.OK);
		}
	}

	@Test
	void asManyMayWaitAsThereAreThreads() throws Exception {
		try (ControllerServer server = ControllerServer.start(new Echo(), "grpc.server.executor.mode=platform",
				"grpc.server.executor.max-threads=2")) {
			List<TestCall> calls = Stream.generate(server::chat).limit(2).toList();
			for (TestCall call : calls) {
				call.send("Ada");
				assertThat(call.next()).isEqualTo("Hello Ada");
				call.send("Grace");
				assertThat(call.next()).as("no thread is left, but those of the callbacks").isEqualTo("Hello Grace");
			}
			calls.forEach(TestCall::end);
		}
	}

	@ParameterizedTest
	@ValueSource(classes = { Echo.class, Sleeper.class, LazyEcho.class })
	void onTheEventLoopTheStartFails(Class<?> type) throws Exception {
		Object controller = type.getDeclaredConstructor().newInstance();
		assertThatThrownBy(() -> ControllerServer.start(controller, "grpc.server.executor.mode=event-loop")).rootCause()
			.isInstanceOf(FailureAnalyzedException.class)
			.hasMessageContaining(type.getSimpleName())
			.hasMessageContaining("grpc.server.executor.mode is event-loop");
	}

	@Test
	void aMarkedMethodFailsTheStartInEveryMode() {
		assertThatThrownBy(() -> ControllerServer.start(new Marked(), "grpc.server.executor.mode=platform")).rootCause()
			.isInstanceOf(FailureAnalyzedException.class)
			.hasMessageContaining("Marked.collect")
			.hasMessageContaining("@NonBlocking");
	}

	@Test
	void aLazyIteratorOverTheRequestsIsAskedInATask() throws Exception {
		LazyEcho echo = new LazyEcho();
		try (ControllerServer server = ControllerServer.start(echo)) {
			TestCall call = server.chat().send("Ada");
			assertThat(call.next()).isEqualTo("Hello Ada");
			call.send("Grace");
			assertThat(call.next()).isEqualTo("Hello Grace");
			call.cancel();
			Awaitility.await().untilAsserted(() -> assertThat(echo.closed).hasValue(1));
		}
	}

	@GrpcController(GreeterGrpc.class)
	static class Echo {

		final CompletableFuture<Status.Code> end = new CompletableFuture<>();

		volatile boolean interrupted;

		public void chat(Iterator<HelloRequest> requests, GrpcSink<HelloResponse> responses) {
			try {
				while (requests.hasNext()) {
					responses.emit(GreeterService.greeting(requests.next().getName()));
				}
				responses.complete();
			}
			catch (StatusRuntimeException ex) {
				this.interrupted = Thread.currentThread().isInterrupted();
				this.end.complete(ex.getStatus().getCode());
				throw ex;
			}
		}

		/** Runs on the thread that was interrupted, if there is but one. */
		public HelloResponse collect(Stream<HelloRequest> requests) {
			return GreeterService.greeting(String.valueOf(Thread.currentThread().isInterrupted()));
		}

		boolean nextTask(ControllerServer server) throws Exception {
			return Boolean.parseBoolean(server.collect().messages().get(0).substring("Hello ".length()));
		}

	}

	@GrpcController(GreeterGrpc.class)
	static class LazyEcho {

		final AtomicInteger closed = new AtomicInteger();

		public Stream<HelloResponse> chat(Stream<HelloRequest> requests) {
			return requests.map((request) -> GreeterService.greeting(request.getName()))
				.onClose(this.closed::incrementAndGet);
		}

	}

	@GrpcController(GreeterGrpc.class)
	static class Sleeper {

		final CountDownLatch started = new CountDownLatch(1);

		final CompletableFuture<Boolean> interrupted = new CompletableFuture<>();

		public HelloResponse collect(Iterator<HelloRequest> requests) throws InterruptedException {
			this.started.countDown();
			try {
				new CountDownLatch(1).await();
			}
			catch (InterruptedException ex) {
				this.interrupted.complete(true);
				throw ex;
			}
			return HelloResponse.getDefaultInstance();
		}

	}

	@GrpcController(GreeterGrpc.class)
	static class Impatient {

		public HelloResponse collect(Iterator<HelloRequest> requests) {
			return GreeterService.greeting("nobody");
		}

		public Iterator<HelloResponse> chat(Iterator<HelloRequest> requests) {
			throw Status.FAILED_PRECONDITION.asRuntimeException();
		}

	}

	@GrpcController(GreeterGrpc.class)
	static class Slow {

		final CountDownLatch begin = new CountDownLatch(1);

		public HelloResponse collect(Iterator<HelloRequest> requests) throws InterruptedException {
			this.begin.await();
			int count = 0;
			while (requests.hasNext()) {
				assertThat(requests.next().getName()).isEqualTo(String.valueOf(count));
				count++;
			}
			return GreeterService.greeting(String.valueOf(count));
		}

	}

	@GrpcController(GreeterGrpc.class)
	static class Marked {

		@NonBlocking
		public HelloResponse collect(Iterator<HelloRequest> requests) {
			return HelloResponse.getDefaultInstance();
		}

	}

}
