package dev.grpcloop.boot.metrics;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

import dev.grpcloop.boot.statistics.MethodStatistics;
import dev.grpcloop.boot.statistics.ServerStatistics;
import dev.grpcloop.boot.test.v1.GreeterGrpc;
import dev.grpcloop.boot.test.v1.HelloRequest;
import dev.grpcloop.boot.test.v1.HelloResponse;
import dev.grpcloop.boot.testsupport.GreeterClient;
import dev.grpcloop.boot.testsupport.GreeterService;
import dev.grpcloop.boot.testsupport.RawPeer;
import dev.grpcloop.boot.testsupport.TestApplications;
import io.grpc.CallOptions;
import io.grpc.ClientCall;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.stub.StreamObserver;
import io.micrometer.core.instrument.Measurement;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Statistic;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.grpc.server.service.GrpcService;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Every ending that a call can have, made from outside a known number of times, and what
 * meters and statistics say of it. One server for all: each test tells the difference.
 */
@Timeout(60)
class CallEndingTests {

	private static final String CANCELLED = "grpc.server.cancelled";

	private static final int THREADS = 2;

	/** Room for all calls that a test makes at a time, but one. */
	private static final int PLACES = 4;

	private static ConfigurableApplicationContext context;

	private static GreeterClient client;

	private final Map<String, Double> before = series();

	@BeforeAll
	static void start() {
		context = TestApplications.run(Application.class, "grpc.server.executor.mode=platform",
				"grpc.server.executor.max-threads=" + THREADS, "grpc.server.executor.queue-capacity=" + PLACES,
				"grpc.server.inbound.message.max-size=1KB");
		client = GreeterClient.of(context);
	}

	@AfterAll
	static void stop() throws Exception {
		client.close();
		context.close();
	}

	@Test
	void callsOfAllKindsThatGoWell() throws Exception {
		for (int i = 0; i < 5; i++) {
			client.hello("Ada");
		}
		client.repeat("Ada");
		client.collect("Ada", "Grace");
		client.chat("Ada", "Grace", "Mary");
		assertSeries(
				Map.of("grpc.server{Hello,OK,none}", 5, "grpc.server.received{Hello}", 5, "grpc.server.sent{Hello}", 5,
						"grpc.server{Repeat,OK,none}", 1, "grpc.server.received{Repeat}", 1, "grpc.server.sent{Repeat}",
						GreeterService.REPEATS),
				Map.of("grpc.server{Collect,OK,none}", 1, "grpc.server.received{Collect}", 2,
						"grpc.server.sent{Collect}", 1, "grpc.server{Chat,OK,none}", 1, "grpc.server.received{Chat}", 3,
						"grpc.server.sent{Chat}", 3));
	}

	@Test
	void statusesAndExceptionsOfServices() {
		for (String name : new String[] { "absent", "absent", "failed", "broken", "broken", "broken" }) {
			fails("absent".equals(name) ? Status.Code.NOT_FOUND : Status.Code.UNKNOWN, () -> client.hello(name));
		}
		assertSeries(
				Map.of("grpc.server{Hello,NOT_FOUND,none}", 2, "grpc.server{Hello,UNKNOWN,IllegalArgumentException}", 1,
						"grpc.server{Hello,UNKNOWN,IllegalStateException}", 3, "grpc.server.received{Hello}", 6));
	}

	@Test
	void callsThatTheClientCancels() {
		double cancelled = cancelled();
		for (int i = 0; i < 3; i++) {
			openChat().cancel("test", null);
		}
		assertSeries(Map.of("grpc.server{Chat,CANCELLED,none}", 3, "grpc.server.received{Chat}", 3,
				"grpc.server.sent{Chat}", 3));
		assertThat(cancelled() - cancelled).isEqualTo(3);
	}

	private static double cancelled() {
		return context.getBean(MeterRegistry.class).get(CANCELLED).tags("rpc.method", "Chat").functionCounter().count();
	}

	@Test
	void callsThatAreTooLate() throws Exception {
		try (RawPeer peer = new RawPeer(port()).begin()) {
			for (int stream : new int[] { 1, 3 }) {
				peer.send(RawPeer.HEADERS, RawPeer.END_HEADERS, stream, headersWithTimeout("Chat", "50m"));
			}
			assertSeries(Map.of("grpc.server{Chat,DEADLINE_EXCEEDED,none}", 2));
		}
	}

	@Test
	void callsWhoseConnectionIsLost() throws Exception {
		try (RawPeer peer = new RawPeer(port()).begin()) {
			for (int stream = 1; stream < 9; stream += 2) {
				peer.call(stream, (stream == 1) ? "Collect" : "Chat");
			}
			Awaitility.await().until(() -> active(Statistic.ACTIVE_TASKS) == 4);
			assertThat(active(Statistic.MAX)).isPositive();
			assertThat(active(Statistic.DURATION)).isPositive();
		}
		assertSeries(Map.of("grpc.server{Chat,CANCELLED,none}", 3, "grpc.server{Collect,CANCELLED,none}", 1));
	}

	@Test
	void messagesThatAreTooLarge() {
		fails(Status.Code.RESOURCE_EXHAUSTED, () -> client.hello("x".repeat(2000)));
		assertSeries(Map.of("grpc.server{Hello,RESOURCE_EXHAUSTED,none}", 1));
	}

	@Test
	void callsThatFindNoThread() throws Exception {
		Application.Waiting waiting = context.getBean(Application.Waiting.class);
		List<CompletableFuture<String>> answers = new ArrayList<>();
		for (int thread = 0; thread < THREADS; thread++) {
			answers.add(client.helloLater("waiting"));
		}
		assertThat(waiting.begun.tryAcquire(THREADS, 20, TimeUnit.SECONDS)).isTrue();
		for (int place = 0; place < PLACES; place++) {
			answers.add(client.helloLater("Ada"));
		}
		Awaitility.await().until(() -> active(Statistic.ACTIVE_TASKS) == THREADS + PLACES);
		for (int i = 0; i < 4; i++) {
			fails(Status.Code.RESOURCE_EXHAUSTED, () -> client.hello("Ada"));
		}
		waiting.end.countDown();
		for (CompletableFuture<String> answer : answers) {
			answer.get(20, TimeUnit.SECONDS);
		}
		// their messages came too
		int answered = THREADS + PLACES;
		assertSeries(Map.of("grpc.server{Hello,OK,none}", answered, "grpc.server.received{Hello}", answered + 4,
				"grpc.server.sent{Hello}", answered, "grpc.server{Hello,RESOURCE_EXHAUSTED,none}", 4));
	}

	@Test
	void pathsThatNobodyKnowsMakeNoMeters() throws Exception {
		for (String method : new String[] { "test.v1.Greeter/Nothing", "no.such.Service/Nothing" }) {
			fails(Status.Code.UNIMPLEMENTED, () -> client.callUnknown(method));
		}
		assertSeries(Map.of("grpc.server{UNKNOWN,UNIMPLEMENTED,none}", 2));
		int meters = context.getBean(MeterRegistry.class).getMeters().size();
		Random random = new Random(1);
		int paths = 20_000;
		int atOnce = 500;
		try (RawPeer peer = new RawPeer(port()).begin()) {
			for (int path = 0; path < paths; path += atOnce) {
				for (int i = path; i < path + atOnce; i++) {
					peer.send(RawPeer.HEADERS, RawPeer.END_HEADERS | RawPeer.END_STREAM, 2 * i + 1,
							RawPeer.headers(Long.toHexString(random.nextLong())));
				}
				for (int i = 0; i < atOnce; i++) {
					peer.await(RawPeer.HEADERS, RawPeer.END_HEADERS | RawPeer.END_STREAM);
				}
			}
		}
		assertSeries(Map.of("grpc.server{UNKNOWN,UNIMPLEMENTED,none}", paths + 2));
		assertThat(context.getBean(MeterRegistry.class).getMeters()).hasSize(meters);
		assertThat(context.getBean(ServerStatistics.class).methods()).hasSizeLessThan(20);
	}

	/** A stream of which the server has seen one message, and answered it. */
	private static ClientCall<HelloRequest, HelloResponse> openChat() {
		ClientCall<HelloRequest, HelloResponse> call = client.channel()
			.newCall(GreeterGrpc.getChatMethod(), CallOptions.DEFAULT);
		CountDownLatch answered = new CountDownLatch(1);
		call.start(new ClientCall.Listener<>() {

			@Override
			public void onMessage(HelloResponse message) {
				answered.countDown();
			}

		}, new Metadata());
		call.sendMessage(GreeterService.request("Ada"));
		call.request(1);
		Awaitility.await().until(() -> answered.getCount() == 0);
		return call;
	}

	private static byte[] headersWithTimeout(String method, String timeout) {
		byte[] headers = RawPeer.headers(method);
		byte[] name = "grpc-timeout".getBytes(StandardCharsets.US_ASCII);
		byte[] value = timeout.getBytes(StandardCharsets.US_ASCII);
		return ByteBuffer.allocate(headers.length + 3 + name.length + value.length)
			.put(headers)
			.put((byte) 0)
			.put((byte) name.length)
			.put(name)
			.put((byte) value.length)
			.put(value)
			.array();
	}

	private static void fails(Status.Code code, Runnable call) {
		assertThatExceptionOfType(StatusRuntimeException.class).isThrownBy(call::run)
			.satisfies((failure) -> assertThat(failure.getStatus().getCode()).isEqualTo(code));
	}

	private static int port() {
		return context.getEnvironment().getRequiredProperty("local.grpc.server.port", Integer.class);
	}

	/** All calls have ended, and what was counted since the start of the test is this. */
	private void assertSeries(Map<String, Integer> expected) {
		assertSeries(expected, Map.of());
	}

	private void assertSeries(Map<String, Integer> expected, Map<String, Integer> more) {
		Map<String, Double> all = new TreeMap<>();
		expected.forEach((key, value) -> all.put(key, (double) value));
		more.forEach((key, value) -> all.put(key, (double) value));
		Awaitility.await().untilAsserted(() -> assertThat(difference()).isEqualTo(all));
		assertNothingRuns();
		assertStatisticsAgree();
	}

	private Map<String, Double> difference() {
		Map<String, Double> difference = series();
		difference.replaceAll((key, value) -> value - this.before.getOrDefault(key, 0.0));
		difference.values().removeIf((value) -> value == 0);
		return difference;
	}

	private static void assertNothingRuns() {
		for (Statistic statistic : new Statistic[] { Statistic.ACTIVE_TASKS, Statistic.DURATION, Statistic.MAX }) {
			assertThat(active(statistic)).isZero();
		}
		assertThat(context.getBean(ServerStatistics.class).methods())
			.allSatisfy((method) -> assertThat(method.started()).isEqualTo(method.closed()));
	}

	private static void assertStatisticsAgree() {
		Map<String, Double> series = series();
		for (MethodStatistics statistics : context.getBean(ServerStatistics.class).methods()) {
			MethodDescriptor<?, ?> method = statistics.method();
			String name = (method != null) ? method.getBareMethodName() : "UNKNOWN";
			long sum = 0;
			for (Status.Code code : Status.Code.values()) {
				String prefix = "grpc.server{" + name + "," + code + ",";
				double timed = series.entrySet()
					.stream()
					.filter((entry) -> entry.getKey().startsWith(prefix))
					.mapToDouble(Map.Entry::getValue)
					.sum();
				assertThat(statistics.closed(code)).as(prefix).isEqualTo((long) timed);
				sum += statistics.closed(code);
			}
			assertThat(sum).isEqualTo(statistics.closed());
		}
	}

	private static double active(Statistic statistic) {
		double sum = 0;
		for (Meter meter : context.getBean(MeterRegistry.class).get("grpc.server.active").meters()) {
			for (Measurement measurement : meter.measure()) {
				sum += (measurement.getStatistic() == statistic) ? measurement.getValue() : 0;
			}
		}
		return sum;
	}

	/**
	 * Counts of timers and counters by method, status and error. Of cancellations only
	 * services that have begun are told, which for most ends is a matter of time.
	 */
	private static Map<String, Double> series() {
		Map<String, Double> series = new TreeMap<>();
		for (Meter meter : context.getBean(MeterRegistry.class).getMeters()) {
			Meter.Id id = meter.getId();
			if (!id.getName().startsWith("grpc.server") || id.getName().equals(CANCELLED)) {
				continue;
			}
			String ending = (id.getTag("error") != null)
					? "," + id.getTag("grpc.status_code") + "," + id.getTag("error") : "";
			for (Measurement measurement : meter.measure()) {
				if (measurement.getStatistic() == Statistic.COUNT) {
					series.put(id.getName() + "{" + id.getTag("rpc.method") + ending + "}", measurement.getValue());
				}
			}
		}
		return series;
	}

	@Configuration(proxyBeanMethods = false)
	@Import(Application.Waiting.class)
	static class Application {

		@Bean
		MeterRegistry meterRegistry() {
			return new SimpleMeterRegistry();
		}

		/** Greets too, and lets {@code waiting} wait. */
		@GrpcService
		static class Waiting extends GreeterService {

			private final Semaphore begun = new Semaphore(0);

			private final CountDownLatch end = new CountDownLatch(1);

			@Override
			public void hello(HelloRequest request, StreamObserver<HelloResponse> responses) {
				if (request.getName().equals("waiting")) {
					this.begun.release();
					try {
						this.end.await();
					}
					catch (InterruptedException ex) {
						Thread.currentThread().interrupt();
					}
				}
				super.hello(request, responses);
			}

		}

	}

}
