package dev.grpcloop.engine;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;

import com.google.protobuf.BytesValue;
import dev.grpcloop.engine.testproto.EchoGrpc;
import io.grpc.Metadata;
import io.grpc.ServerCall;
import io.grpc.ServerCallExecutorSupplier;
import io.grpc.ServerCallHandler;
import io.grpc.ServerServiceDefinition;
import io.grpc.Status;
import io.grpc.stub.MetadataUtils;
import io.grpc.stub.StreamObserver;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Where service code runs, and what happens when there is no room for it (case B28).
 */
class ExecutorTests {

	@Test
	void directMeansOnTheLoop() throws Exception {
		assertThat(threadOfService(EventLoopServerBuilder::directExecutor)).startsWith("grpc-loop");
	}

	@Test
	void theDefaultIsAPoolOfTheServers() throws Exception {
		assertThat(threadOfService((builder) -> {
		})).startsWith("grpc-call");
	}

	@Test
	void whatIsSaidLastCounts() throws Exception {
		assertThat(threadOfService((builder) -> builder.directExecutor().executor(null))).startsWith("grpc-call");
		assertThat(threadOfService((builder) -> builder.executor(Runnable::run).directExecutor()))
			.startsWith("grpc-loop");
	}

	@Test
	void theCallersExecutorIsUsedAndLeftRunning() throws Exception {
		ExecutorService own = Executors.newSingleThreadExecutor((task) -> new Thread(task, "my-own"));
		try {
			assertThat(threadOfService((builder) -> builder.executor(own))).isEqualTo("my-own");
			assertThat(own.isShutdown()).isFalse();
		}
		finally {
			own.shutdownNow();
		}
	}

	@Test
	void theExecutorCanBeChosenForEachCall() throws Exception {
		Metadata.Key<String> where = Metadata.Key.of("x-where", Metadata.ASCII_STRING_MARSHALLER);
		ExecutorService own = Executors.newSingleThreadExecutor((task) -> new Thread(task, "my-own"));
		ServerCallExecutorSupplier supplier = new ServerCallExecutorSupplier() {

			@Override
			public <Q, R> @Nullable Executor getExecutor(ServerCall<Q, R> call, Metadata headers) {
				String wanted = headers.get(where);
				if ("fail".equals(wanted)) {
					throw new NoClassDefFoundError("no place");
				}
				return "own".equals(wanted) ? own : null;
			}

		};
		List<String> threads = new CopyOnWriteArrayList<>();
		try (EngineLog log = new EngineLog();
				TestServer server = TestServer
					.start((builder) -> builder.callExecutor(supplier).addService(new ThreadNoting(threads)))) {
			assertThat(callWith(server, where, "own").isOk()).isTrue();
			assertThat(callWith(server, where, "default").isOk()).isTrue();
			Status refused = callWith(server, where, "fail");
			assertThat(refused.getCode()).isEqualTo(Status.Code.UNKNOWN);
			assertThat(refused.getDescription()).isNull();
			assertThat(log.messages()).singleElement().asString().contains("executor supplier");
			assertThat(callWith(server, where, "own").isOk()).isTrue();
			assertThat(threads).hasSize(3);
			assertThat(threads.get(0)).isEqualTo("my-own");
			assertThat(threads.get(1)).startsWith("grpc-call");
			assertThat(threads.get(2)).isEqualTo("my-own");
		}
		finally {
			own.shutdownNow();
		}
	}

	private static Status callWith(TestServer server, Metadata.Key<String> key, String value)
			throws InterruptedException {
		Metadata headers = new Metadata();
		headers.put(key, value);
		RecordingObserver<BytesValue> responses = new RecordingObserver<>();
		server.async()
			.withInterceptors(MetadataUtils.newAttachHeadersInterceptor(headers))
			.unary(Messages.text("a"), responses);
		return responses.status();
	}

	@BothModes
	void singleMethodsCanBePlacedOnTheLoopAndOffIt(Mode mode) throws Exception {
		List<String> threads = new CopyOnWriteArrayList<>();
		try (TestServer server = TestServer.start(mode::apply,
				(builder) -> builder.addService(new ThreadNoting(threads))
					.placement((method) -> switch (method.getBareMethodName()) {
						case "Unary" -> true;
						case "Bidi" -> false;
						default -> null;
					}))) {
			server.blocking().unary(Messages.text("a"));
			RecordingObserver<BytesValue> responses = new RecordingObserver<>();
			server.async().bidi(responses).onCompleted();
			responses.all();
			server.blocking().serverStream(Messages.text("a")).forEachRemaining((response) -> {
			});
			assertThat(threads).hasSize(3);
			assertThat(threads.get(0)).startsWith("grpc-loop");
			assertThat(threads.get(1)).startsWith("grpc-call");
			assertThat(threads.get(2)).startsWith((mode == Mode.ON_THE_LOOP) ? "grpc-loop" : "grpc-call");
		}
	}

	@Test
	void anExecutorMayRunTasksAtOnce() throws Exception {
		try (TestServer server = TestServer.echo((builder) -> builder.executor(Runnable::run))) {
			assertThat(server.blocking().unary(Messages.text("a"))).isEqualTo(Messages.text("a"));
			RecordingObserver<BytesValue> responses = new RecordingObserver<>();
			StreamObserver<BytesValue> requests = server.async().bidi(responses);
			for (int i = 0; i < 100; i++) {
				requests.onNext(Messages.ofSize(3000, i));
			}
			requests.onCompleted();
			assertThat(responses.all()).hasSize(100);
		}
	}

	@Test
	void aServiceThatBlocksBlocksNoOtherCall() throws Exception {
		CountDownLatch release = new CountDownLatch(1);
		EchoService service = new EchoService() {

			@Override
			public void unary(BytesValue request, StreamObserver<BytesValue> responses) {
				if (request.equals(Messages.text("block"))) {
					await(release);
				}
				super.unary(request, responses);
			}

		};
		try (TestServer server = TestServer.start((builder) -> builder.addService(service))) {
			RecordingObserver<BytesValue> blocked = new RecordingObserver<>();
			server.async().unary(Messages.text("block"), blocked);
			for (int i = 0; i < 10; i++) {
				assertThat(server.blocking().unary(Messages.number(i))).isEqualTo(Messages.number(i));
			}
			assertThat(blocked.hasEnded()).isFalse();
			release.countDown();
			assertThat(blocked.all()).hasSize(1);
		}
	}

	@Test
	void callsThatAFullExecutorRefusesAreToldSo() throws Exception {
		CountDownLatch release = new CountDownLatch(1);
		EchoService service = new EchoService() {

			@Override
			public void unary(BytesValue request, StreamObserver<BytesValue> responses) {
				await(release);
				super.unary(request, responses);
			}

		};
		RecordingTelemetry telemetry = new RecordingTelemetry();
		ThreadPoolExecutor full = new ThreadPoolExecutor(1, 1, 1, TimeUnit.MINUTES, new ArrayBlockingQueue<>(1),
				new ThreadPoolExecutor.AbortPolicy());
		try (TestServer server = TestServer
			.start((builder) -> builder.executor(full).addService(service).telemetry(telemetry))) {
			List<RecordingObserver<BytesValue>> all = new ArrayList<>();
			for (int i = 0; i < 50; i++) {
				RecordingObserver<BytesValue> responses = new RecordingObserver<>();
				all.add(responses);
				server.async().unary(Messages.number(i), responses);
			}
			Eventually.until("48 are refused", () -> all.stream().filter(RecordingObserver::hasEnded).count() == 48);
			release.countDown();
			int answered = 0;
			for (RecordingObserver<BytesValue> responses : all) {
				Status status = responses.status();
				if (status.isOk()) {
					answered++;
				}
				else {
					assertThat(status.getCode()).isEqualTo(Status.Code.RESOURCE_EXHAUSTED);
				}
			}
			assertThat(answered).isEqualTo(2);
			assertThat(server.blocking().unary(Messages.text("alive"))).isEqualTo(Messages.text("alive"));
			assertThat(telemetry.connectionsOpened).hasValue(1);
			assertThat(telemetry.running).hasValue(0);
		}
		finally {
			full.shutdownNow();
		}
	}

	@ParameterizedTest
	@ValueSource(ints = { 1, 2, 3, 4 })
	void aCallWhoseLaterTaskIsRefusedEndsForBothSides(int refused) throws Exception {
		Refusing executor = new Refusing(refused);
		EventLog log = new EventLog();
		RecordingTelemetry telemetry = new RecordingTelemetry();
		try (TestServer server = TestServer
			.start((builder) -> builder.executor(executor).addService(log.service()).telemetry(telemetry))) {
			RecordingObserver<BytesValue> responses = new RecordingObserver<>();
			StreamObserver<BytesValue> requests = server.async().bidi(responses);
			// each message waits for the answer to the one before, so it is a task of its
			// own
			for (int i = 0; !responses.hasEnded(); i++) {
				int answers = i + 1;
				requests.onNext(Messages.number(i));
				Eventually.until("an answer or the end", () -> responses.received() == answers || responses.hasEnded());
			}
			assertThat(responses.status().getCode()).isEqualTo(Status.Code.RESOURCE_EXHAUSTED);
			long started = log.count("start");
			Eventually.until("the service is told if it was started", () -> log.count("cancel") == started);
			executor.refuse(0);
			RecordingObserver<BytesValue> next = new RecordingObserver<>();
			server.async().bidi(next).onCompleted();
			assertThat(next.all()).as("the connection lives").isEmpty();
			assertThat(telemetry.connectionsOpened).hasValue(1);
			assertThat(telemetry.running).hasValue(0);
			assertThat(log.count("cancel")).isEqualTo(started);
		}
	}

	@Test
	void aCancellationThatTheExecutorRefusesReachesTheServiceAllTheSame() throws Exception {
		Refusing executor = new Refusing(0);
		EventLog log = new EventLog();
		try (TestServer server = TestServer.start((builder) -> builder.executor(executor).addService(log.service()))) {
			RecordingObserver<BytesValue> responses = new RecordingObserver<>();
			StreamObserver<BytesValue> requests = server.async().bidi(responses);
			requests.onNext(Messages.text("a"));
			responses.next();
			executor.refuseAll();
			requests.onError(Status.CANCELLED.asRuntimeException());
			Eventually.until("the service is told", () -> log.events.contains("cancel"));
			executor.refuse(0);
			RecordingObserver<BytesValue> next = new RecordingObserver<>();
			server.async().bidi(next).onCompleted();
			assertThat(next.all()).as("the connection lives").isEmpty();
		}
	}

	@Test
	void anExecutorThatWasShutDownRefusesEveryCall() throws Exception {
		ExecutorService ended = Executors.newSingleThreadExecutor();
		ended.shutdown();
		try (TestServer server = TestServer.echo((builder) -> builder.executor(ended))) {
			for (int i = 0; i < 5; i++) {
				RecordingObserver<BytesValue> responses = new RecordingObserver<>();
				server.async().unary(Messages.number(i), responses);
				assertThat(responses.status().getCode()).isEqualTo(Status.Code.RESOURCE_EXHAUSTED);
			}
		}
	}

	private static String threadOfService(Consumer<EventLoopServerBuilder> customizer) throws Exception {
		List<String> threads = new CopyOnWriteArrayList<>();
		try (TestServer server = TestServer.start(customizer,
				(builder) -> builder.addService(new ThreadNoting(threads)))) {
			server.blocking().unary(Messages.text("a"));
		}
		assertThat(threads).hasSize(1);
		return threads.get(0);
	}

	private static void await(CountDownLatch latch) {
		try {
			latch.await(30, TimeUnit.SECONDS);
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
	}

	/**
	 * Writes down on which threads its methods run.
	 */
	private static final class ThreadNoting extends EchoService {

		private final List<String> threads;

		ThreadNoting(List<String> threads) {
			this.threads = threads;
		}

		private void note() {
			this.threads.add(Thread.currentThread().getName());
		}

		@Override
		public void unary(BytesValue request, StreamObserver<BytesValue> responses) {
			note();
			super.unary(request, responses);
		}

		@Override
		public void serverStream(BytesValue request, StreamObserver<BytesValue> responses) {
			note();
			super.serverStream(request, responses);
		}

		@Override
		public StreamObserver<BytesValue> bidi(StreamObserver<BytesValue> responses) {
			note();
			return super.bidi(responses);
		}

	}

	/**
	 * Refuses one task: the first, the second and so on.
	 */
	private static final class Refusing implements Executor {

		private final Executor delegate = Executors.newCachedThreadPool((task) -> {
			Thread thread = new Thread(task, "refusing");
			thread.setDaemon(true);
			return thread;
		});

		private final AtomicInteger count = new AtomicInteger();

		private volatile int refused;

		Refusing(int refused) {
			this.refused = refused;
		}

		void refuse(int number) {
			this.refused = number;
		}

		void refuseAll() {
			this.refused = -1;
		}

		@Override
		public void execute(Runnable task) {
			if (this.count.incrementAndGet() == this.refused || this.refused == -1) {
				throw new RejectedExecutionException("full");
			}
			this.delegate.execute(task);
		}

	}

	/**
	 * An echo that writes down what it is told.
	 */
	private static final class EventLog {

		private final List<String> events = new CopyOnWriteArrayList<>();

		long count(String event) {
			return this.events.stream().filter(event::equals).count();
		}

		ServerServiceDefinition service() {
			ServerCallHandler<BytesValue, BytesValue> handler = (call, headers) -> {
				this.events.add("start");
				call.sendHeaders(new Metadata());
				call.request(Integer.MAX_VALUE);
				return new ServerCall.Listener<>() {

					@Override
					public void onMessage(BytesValue message) {
						EventLog.this.events.add("message");
						call.sendMessage(message);
					}

					@Override
					public void onHalfClose() {
						EventLog.this.events.add("half-close");
						call.close(Status.OK, new Metadata());
					}

					@Override
					public void onCancel() {
						EventLog.this.events.add("cancel");
					}

					@Override
					public void onComplete() {
						EventLog.this.events.add("complete");
					}

				};
			};
			return ServerServiceDefinition.builder("t.Echo").addMethod(EchoGrpc.getBidiMethod(), handler).build();
		}

	}

}
