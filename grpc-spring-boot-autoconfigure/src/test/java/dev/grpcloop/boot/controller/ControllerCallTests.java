package dev.grpcloop.boot.controller;

import java.util.Iterator;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Flow;
import java.util.concurrent.SubmissionPublisher;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import dev.grpcloop.boot.GrpcCallContext;
import dev.grpcloop.boot.GrpcController;
import dev.grpcloop.boot.GrpcSink;
import dev.grpcloop.boot.test.v1.GreeterGrpc;
import dev.grpcloop.boot.test.v1.HelloRequest;
import dev.grpcloop.boot.test.v1.HelloResponse;
import dev.grpcloop.boot.testsupport.GreeterClient;
import dev.grpcloop.boot.testsupport.GreeterService;
import dev.grpcloop.boot.testsupport.TestApplications;
import io.grpc.CallOptions;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import io.grpc.Status;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Calls of plain methods: what clients are told, and what becomes of what methods return.
 */
@ExtendWith(OutputCaptureExtension.class)
class ControllerCallTests {

	private static final Metadata.Key<String> KEY = Metadata.Key.of("key", Metadata.ASCII_STRING_MARSHALLER);

	private static final long SECONDS = 20;

	@Test
	void whatAMethodThrowsEndsTheCallAsAStubWouldEndIt() throws Exception {
		try (ControllerServer server = ControllerServer.start(new Failing())) {
			TestCall status = server.hello("status");
			assertThat(status.status().getCode()).isEqualTo(Status.Code.NOT_FOUND);
			assertThat(status.status().getDescription()).isEqualTo("no such name");
			assertThat(status.trailers().get(KEY)).isEqualTo("trailer");
			assertThat(server.hello("checked").status().getCode()).isEqualTo(Status.Code.ABORTED);
			assertThat(server.hello("wrapped").status().getCode()).isEqualTo(Status.Code.ABORTED);
			assertThat(server.hello("other").status().getCode()).isEqualTo(Status.Code.UNKNOWN);
			assertThat(server.hello("ok").status().getCode()).isEqualTo(Status.Code.INTERNAL);
			assertThat(server.collect().end().status().getCode()).as("stage").isEqualTo(Status.Code.ABORTED);
			TestCall chat = server.chat().end();
			assertThat(chat.messages()).as("before the error").containsExactly("Hello Ada");
			assertThat(chat.status().getCode()).isEqualTo(Status.Code.ABORTED);
		}
	}

	@GrpcController(GreeterGrpc.class)
	static class Failing {

		public HelloResponse hello(HelloRequest request) throws Exception {
			Metadata trailers = new Metadata();
			trailers.put(KEY, "trailer");
			switch (request.getName()) {
				case "status" -> throw Status.NOT_FOUND.withDescription("no such name").asRuntimeException(trailers);
				case "checked" -> throw Status.ABORTED.asException();
				case "wrapped" -> throw new CompletionException(Status.ABORTED.asException());
				case "ok" -> throw Status.OK.asRuntimeException();
				default -> throw new IllegalStateException("other");
			}
		}

		public CompletionStage<HelloResponse> collect(Flux<HelloRequest> requests) {
			return requests.collectList().toFuture().thenApply((all) -> {
				throw Status.ABORTED.asRuntimeException();
			});
		}

		public Flux<HelloResponse> chat(Flux<HelloRequest> requests) {
			return Flux.concat(Flux.just(GreeterService.greeting("Ada")), Flux.error(Status.ABORTED.asException()));
		}

	}

	@Test
	void nothingWhereThereMustBeAResponseIsInternalAndInTheLog(CapturedOutput output) throws Exception {
		try (ControllerServer server = ControllerServer.start(new Nulls())) {
			assertThat(server.hello("Ada").status().getCode()).isEqualTo(Status.Code.INTERNAL);
			assertThat(output)
				.contains("Nulls.hello(HelloRequest), which serves test.v1.Greeter/Hello, has returned null");
			TestCall repeat = server.repeat("Ada");
			assertThat(repeat.messages()).containsExactly("Hello Ada");
			assertThat(repeat.status().getCode()).isEqualTo(Status.Code.INTERNAL);
			assertThat(output).contains("Nulls.repeat(HelloRequest), which serves test.v1.Greeter/Repeat, gave null");
			assertThat(server.collect().end().status().getCode()).as("empty Mono").isEqualTo(Status.Code.INTERNAL);
			assertThat(output).contains("Nulls.collect(Flux), which serves test.v1.Greeter/Collect, gave null");
			assertThat(server.chat().end().status().getCode()).as("null Flux").isEqualTo(Status.Code.INTERNAL);
		}
	}

	@GrpcController(GreeterGrpc.class)
	static class Nulls {

		public HelloResponse hello(HelloRequest request) {
			return null;
		}

		public Stream<HelloResponse> repeat(HelloRequest request) {
			return Stream.of(GreeterService.greeting("Ada"), null);
		}

		public Mono<HelloResponse> collect(Flux<HelloRequest> requests) {
			return requests.then(Mono.empty());
		}

		public Flux<HelloResponse> chat(Flux<HelloRequest> requests) {
			return null;
		}

	}

	@ParameterizedTest
	@ValueSource(strings = { "event-loop", "platform" })
	void noneOrTwoRequestsHearWhatAStubSays(String mode) throws Exception {
		String property = "grpc.server.executor.mode=" + mode;
		try (ConfigurableApplicationContext context = TestApplications.run(Stub.class, property);
				GreeterClient stub = GreeterClient.of(context);
				ControllerServer plain = ControllerServer.start(new Plain(), property)) {
			for (MethodDescriptor<HelloRequest, HelloResponse> method : List.of(GreeterGrpc.getHelloMethod(),
					GreeterGrpc.getRepeatMethod())) {
				for (String[] requests : List.of(new String[0], new String[] { "Ada", "Grace" })) {
					Status expected = TestCall.start(stub.channel(), method).send(requests).end().status();
					Status actual = plain.call(method).send(requests).end().status();
					assertThat(actual.getCode()).isEqualTo(expected.getCode()).isEqualTo(Status.Code.INTERNAL);
					assertThat(actual.getDescription()).isEqualTo(expected.getDescription());
				}
			}
		}
	}

	@Configuration(proxyBeanMethods = false)
	@Import(GreeterService.class)
	static class Stub {

	}

	@GrpcController(GreeterGrpc.class)
	static class Plain {

		public HelloResponse hello(HelloRequest request) {
			return GreeterService.greeting(request.getName());
		}

		public Iterator<HelloResponse> repeat(HelloRequest request) {
			return List.of(GreeterService.greeting(request.getName())).iterator();
		}

	}

	@Test
	void rpcsWithoutAMethodAreUnimplementedAndNamedAtTheStart(CapturedOutput output) throws Exception {
		try (ControllerServer server = ControllerServer.start(new Plain())) {
			Status status = server.collect().end().status();
			assertThat(status.getCode()).isEqualTo(Status.Code.UNIMPLEMENTED);
			assertThat(status.getDescription()).isEqualTo("Method test.v1.Greeter/Collect is unimplemented");
			assertThat(output.toString().lines().filter((line) -> line.contains("UNIMPLEMENTED"))).singleElement()
				.asString()
				.contains("'greeter'", "Plain", "test.v1.Greeter/Collect, test.v1.Greeter/Chat");
		}
	}

	@Test
	void aMethodKnowsItsCall() throws Exception {
		try (ControllerServer server = ControllerServer.start(new Knowing())) {
			Metadata headers = new Metadata();
			headers.put(KEY, "request");
			TestCall call = TestCall
				.start(server.client().channel(), GreeterGrpc.getHelloMethod(),
						CallOptions.DEFAULT.withDeadlineAfter(1, TimeUnit.HOURS), 2, headers)
				.send("Ada")
				.end();
			assertThat(call.messages()).containsExactly("Hello Ada request request true test.v1.Greeter/Hello");
			assertThat(call.headers().get(KEY)).isEqualTo("header");
			assertThat(call.headers().get(Metadata.Key.of("grpc-encoding", Metadata.ASCII_STRING_MARSHALLER)))
				.isEqualTo("gzip");
			assertThat(call.trailers().get(KEY)).isEqualTo("trailer");
			TestCall failed = server.hello("fail");
			assertThat(failed.status().getCode()).isEqualTo(Status.Code.ABORTED);
			assertThat(failed.trailers().get(KEY)).isEqualTo("trailer");
		}
	}

	@GrpcController(GreeterGrpc.class)
	static class Knowing {

		public HelloResponse hello(Metadata headers, HelloRequest request, GrpcCallContext call) {
			call.responseHeaders().put(KEY, "header");
			call.responseTrailers().put(KEY, "trailer");
			call.compression("gzip");
			call.messageCompression(true);
			if (request.getName().equals("fail")) {
				throw Status.ABORTED.asRuntimeException();
			}
			boolean known = call.deadline() != null && call.peer() != null && call.authority() != null
					&& !call.isCancelled() && !call.attributes().keys().isEmpty();
			return GreeterService.greeting(String.join(" ", request.getName(), headers.get(KEY),
					call.requestHeaders().get(KEY), String.valueOf(known), call.method().getFullMethodName()));
		}

	}

	@ParameterizedTest
	@ValueSource(strings = { "event-loop", "platform" })
	void aClientThatDoesNotReadHoldsNoThread(String mode) throws Exception {
		Endless endless = new Endless();
		try (ControllerServer server = ControllerServer.start(endless, "grpc.server.executor.mode=" + mode,
				"grpc.server.executor.max-threads=1")) {
			List<TestCall> slow = IntStream.range(0, 3)
				.mapToObj((i) -> server.call(GreeterGrpc.getRepeatMethod(), CallOptions.DEFAULT, 1).send("Ada").end())
				.toList();
			for (TestCall call : slow) {
				call.next();
			}
			assertThat(server.hello("Ada").messages()).as("the only thread").containsExactly("Hello Ada");
			TestCall reader = slow.get(0);
			reader.request(5000);
			for (int i = 0; i < 5000; i++) {
				reader.next();
			}
			slow.forEach(TestCall::cancel);
			Awaitility.await().untilAsserted(() -> assertThat(endless.closed).hasValue(3));
			assertThat(endless.concurrent).as("asked by two threads at once").hasValue(0);
		}
	}

	@Test
	void aCancelInterruptsWhatAReturnedStreamWaitsFor() throws Exception {
		Endless endless = new Endless();
		try (ControllerServer server = ControllerServer.start(endless, "grpc.server.executor.mode=platform",
				"grpc.server.executor.max-threads=1")) {
			TestCall call = server.repeat("wait");
			endless.waiting.await();
			call.cancel();
			Awaitility.await().untilAsserted(() -> assertThat(endless.closed).hasValue(1));
			assertThat(server.hello("Ada").messages()).containsExactly("Hello Ada");
		}
	}

	@Test
	void whatAMethodReturnsIsClosedOnceAtItsEndAndAfterAnError() throws Exception {
		Endless endless = new Endless();
		try (ControllerServer server = ControllerServer.start(endless)) {
			assertThat(server.repeat("end").messages()).containsExactly("Hello end");
			assertThat(endless.closed).hasValue(1);
			TestCall failed = server.repeat("fail");
			assertThat(failed.messages()).containsExactly("Hello fail");
			assertThat(failed.status().getCode()).isEqualTo(Status.Code.ABORTED);
			assertThat(endless.closed).hasValue(2);
		}
	}

	@GrpcController(GreeterGrpc.class)
	static class Endless {

		final AtomicInteger closed = new AtomicInteger();

		final AtomicInteger concurrent = new AtomicInteger();

		final CountDownLatch waiting = new CountDownLatch(1);

		public Stream<HelloResponse> repeat(HelloRequest request) {
			String name = request.getName();
			AtomicInteger asking = new AtomicInteger();
			Stream<HelloResponse> responses = Stream.generate(() -> {
				if (asking.getAndIncrement() != 0) {
					this.concurrent.incrementAndGet();
				}
				asking.decrementAndGet();
				return GreeterService.greeting(name.equals("Ada") ? "x".repeat(1000) : name);
			});
			Stream<HelloResponse> chosen = switch (name) {
				case "end" -> responses.limit(1);
				case "fail" -> Stream.concat(responses.limit(1), responses(() -> {
					throw Status.ABORTED.asRuntimeException();
				}));
				case "wait" -> responses(this::waitForEver);
				default -> responses;
			};
			return chosen.onClose(this.closed::incrementAndGet);
		}

		private static Stream<HelloResponse> responses(java.util.function.Supplier<HelloResponse> response) {
			return Stream.of(1).map((number) -> response.get());
		}

		private HelloResponse waitForEver() {
			this.waiting.countDown();
			try {
				new CountDownLatch(1).await();
				throw new IllegalStateException();
			}
			catch (InterruptedException ex) {
				throw new IllegalStateException(ex);
			}
		}

		public HelloResponse hello(HelloRequest request) {
			return GreeterService.greeting(request.getName());
		}

	}

	@Test
	void aCancelReachesStagesAndSubscriptions() throws Exception {
		Pending pending = new Pending();
		try (ControllerServer server = ControllerServer.start(pending)) {
			TestCall hello = server.hello("Ada");
			TestCall repeat = server.repeat("Ada");
			TestCall collect = server.collect().send("Ada");
			TestCall chat = server.chat().send("Ada");
			pending.begun.await();
			Stream.of(hello, repeat, collect, chat).forEach(TestCall::cancel);
			assertThat(pending.cancelled.await(SECONDS, TimeUnit.SECONDS)).isTrue();
			assertThat(pending.stage).isCancelled();
		}
	}

	@GrpcController(GreeterGrpc.class)
	static class Pending {

		final CountDownLatch begun = new CountDownLatch(4);

		final CountDownLatch cancelled = new CountDownLatch(4);

		final CompletableFuture<HelloResponse> stage = new CompletableFuture<>();

		public CompletionStage<HelloResponse> hello(HelloRequest request) {
			this.begun.countDown();
			this.stage.whenComplete((response, ex) -> this.cancelled.countDown());
			return this.stage;
		}

		public Flux<HelloResponse> repeat(HelloRequest request) {
			this.begun.countDown();
			return Flux.<HelloResponse>never().doOnCancel(this.cancelled::countDown);
		}

		public Mono<HelloResponse> collect(Flux<HelloRequest> requests) {
			return Mono.<HelloResponse>never()
				.doOnSubscribe((subscription) -> this.begun.countDown())
				.doOnCancel(this.cancelled::countDown);
		}

		public Flow.Publisher<HelloResponse> chat(Flow.Publisher<HelloRequest> requests) {
			return (subscriber) -> {
				subscriber.onSubscribe(new Flow.Subscription() {

					@Override
					public void request(long count) {
						Pending.this.begun.countDown();
					}

					@Override
					public void cancel() {
						Pending.this.cancelled.countDown();
					}

				});
			};
		}

	}

	@Test
	void aPublisherIsAskedAsTheClientReads() throws Exception {
		Counting counting = new Counting();
		try (ControllerServer server = ControllerServer.start(counting)) {
			TestCall call = server.call(GreeterGrpc.getRepeatMethod(), CallOptions.DEFAULT, 1).send("Ada").end();
			call.next();
			assertThat(server.hello("Ada").messages()).hasSize(1);
			assertThat(counting.published.get()).isLessThan(5000);
			call.request(Integer.MAX_VALUE);
			for (int i = 1; i < 10_000; i++) {
				call.next();
			}
			assertThat(call.status().getCode()).isEqualTo(Status.Code.OK);
		}
	}

	@GrpcController(GreeterGrpc.class)
	static class Counting {

		final AtomicInteger published = new AtomicInteger();

		public Flux<HelloResponse> repeat(HelloRequest request) {
			return Flux.range(0, 10_000)
				.map((number) -> GreeterService.greeting("x".repeat(1000)))
				.doOnNext((response) -> this.published.incrementAndGet());
		}

		public Mono<HelloResponse> hello(HelloRequest request) {
			return Mono.just(GreeterService.greeting(request.getName()));
		}

	}

	@Test
	void elementsAfterTheEndAreLoggedAndNotSent(CapturedOutput output) throws Exception {
		try (ControllerServer server = ControllerServer.start(new Talkative())) {
			TestCall repeat = server.repeat("Ada");
			assertThat(repeat.messages()).containsExactly("Hello Ada");
			Awaitility.await()
				.untilAsserted(() -> assertThat(output)
					.contains("Talkative.repeat(HelloRequest), which serves test.v1.Greeter/Repeat, has published a "
							+ "response after the end"));
		}
	}

	@GrpcController(GreeterGrpc.class)
	static class Talkative {

		public Flow.Publisher<HelloResponse> repeat(HelloRequest request) {
			return (subscriber) -> {
				subscriber.onSubscribe(new Flow.Subscription() {

					private boolean asked;

					@Override
					public void request(long count) {
						if (!this.asked) {
							this.asked = true;
							subscriber.onNext(GreeterService.greeting("Ada"));
							subscriber.onComplete();
							subscriber.onNext(GreeterService.greeting("Grace"));
						}
					}

					@Override
					public void cancel() {
					}

				});
			};
		}

	}

	@Test
	void aPublisherOfItsOwnThreadIsServed() throws Exception {
		try (ControllerServer server = ControllerServer.start(new Submitting())) {
			assertThat(server.repeat("Ada").messages()).hasSize(500);
		}
	}

	@GrpcController(GreeterGrpc.class)
	static class Submitting {

		public SubmissionPublisher<HelloResponse> repeat(HelloRequest request) {
			SubmissionPublisher<HelloResponse> publisher = new SubmissionPublisher<>();
			CompletableFuture.runAsync(() -> {
				while (publisher.getNumberOfSubscribers() == 0) {
					Thread.onSpinWait();
				}
				IntStream.range(0, 500).forEach((number) -> publisher.submit(GreeterService.greeting("Ada")));
				publisher.close();
			});
			return publisher;
		}

	}

	@Test
	void aSinkTakesResponsesOfManyThreads() throws Exception {
		try (ControllerServer server = ControllerServer.start(new Sinking())) {
			TestCall call = server.repeat("threads");
			assertThat(call.messages()).hasSize(400);
			assertThat(call.status().getCode()).isEqualTo(Status.Code.OK);
		}
	}

	@ParameterizedTest
	@ValueSource(strings = { "event-loop", "platform" })
	void aSinkSaysWhenTheCallIsReady(String mode) throws Exception {
		Sinking sinking = new Sinking();
		try (ControllerServer server = ControllerServer.start(sinking, "grpc.server.executor.mode=" + mode)) {
			TestCall call = server.call(GreeterGrpc.getRepeatMethod(), CallOptions.DEFAULT, 1).send("ready").end();
			call.next();
			assertThat(sinking.emitted.get()).isLessThan(5000);
			call.request(Integer.MAX_VALUE);
			for (int i = 1; i < 5000; i++) {
				call.next();
			}
			assertThat(call.status().getCode()).isEqualTo(Status.Code.OK);
		}
	}

	@Test
	void aSinkSaysThatTheCallIsCancelled() throws Exception {
		Sinking sinking = new Sinking();
		try (ControllerServer server = ControllerServer.start(sinking)) {
			TestCall call = server.repeat("cancel");
			call.next();
			call.cancel();
			assertThat(sinking.cancelled.get(SECONDS, TimeUnit.SECONDS)).isEqualTo("heeded");
			TestCall loop = server.repeat("loop");
			loop.next();
			loop.cancel();
			assertThat(sinking.thrown.get(SECONDS, TimeUnit.SECONDS)).isEqualTo(Status.Code.CANCELLED);
		}
	}

	@Test
	void aSinkEndsTheCallOnce(CapturedOutput output) throws Exception {
		try (ControllerServer server = ControllerServer.start(new Sinking())) {
			TestCall error = server.repeat("error");
			assertThat(error.status().getCode()).isEqualTo(Status.Code.ABORTED);
			TestCall twice = server.repeat("twice");
			assertThat(twice.messages()).containsExactly("Hello Ada");
			assertThat(twice.status().getCode()).isEqualTo(Status.Code.OK);
			Awaitility.await()
				.untilAsserted(() -> assertThat(output).contains("has ended its call a second time")
					.contains("has emitted a response after the end"));
			assertThat(server.repeat("null").status().getCode()).isEqualTo(Status.Code.INTERNAL);
			assertThat(server.repeat("throw").status().getCode()).isEqualTo(Status.Code.ABORTED);
		}
	}

	@GrpcController(GreeterGrpc.class)
	static class Sinking {

		final AtomicInteger emitted = new AtomicInteger();

		final CompletableFuture<String> cancelled = new CompletableFuture<>();

		final CompletableFuture<Status.Code> thrown = new CompletableFuture<>();

		public void repeat(HelloRequest request, GrpcSink<HelloResponse> responses) {
			switch (request.getName()) {
				case "threads" -> emitFromThreads(responses);
				case "ready" -> responses.onReady(() -> emitWhileReady(responses));
				case "cancel" -> {
					responses.onCancel(() -> {
						responses.emit(GreeterService.greeting("dropped"));
						this.cancelled.complete("heeded");
					});
					responses.emit(GreeterService.greeting("Ada"));
				}
				case "loop" -> CompletableFuture.runAsync(() -> emitUntilCancelled(responses));
				case "error" -> responses.error(new CompletionException(Status.ABORTED.asException()));
				case "twice" -> {
					responses.emit(GreeterService.greeting("Ada"));
					responses.complete();
					responses.complete();
					responses.emit(GreeterService.greeting("Grace"));
				}
				case "null" -> responses.emit(null);
				default -> throw Status.ABORTED.asRuntimeException();
			}
		}

		private static void emitFromThreads(GrpcSink<HelloResponse> responses) {
			List<CompletableFuture<Void>> threads = IntStream.range(0, 4)
				.mapToObj((thread) -> CompletableFuture.runAsync(() -> {
					for (int i = 0; i < 100; i++) {
						responses.emit(GreeterService.greeting("Ada"));
					}
				}))
				.toList();
			CompletableFuture.allOf(threads.toArray(CompletableFuture[]::new)).thenRun(responses::complete);
		}

		private void emitWhileReady(GrpcSink<HelloResponse> responses) {
			while (responses.isReady() && this.emitted.get() < 5000) {
				responses.emit(GreeterService.greeting("x".repeat(1000)));
				if (this.emitted.incrementAndGet() == 5000) {
					responses.complete();
				}
			}
		}

		private void emitUntilCancelled(GrpcSink<HelloResponse> responses) {
			try {
				responses.emit(GreeterService.greeting("Ada"));
				while (!responses.isCancelled()) {
					Thread.onSpinWait();
				}
				responses.emit(GreeterService.greeting("Grace"));
			}
			catch (RuntimeException ex) {
				this.thrown.complete(Status.fromThrowable(ex).getCode());
			}
		}

	}

}
