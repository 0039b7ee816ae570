package dev.grpcloop.sample;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

import helloworld.v1.GreeterGrpc;
import helloworld.v1.GreeterHelloRepeatedlyRequest;
import helloworld.v1.GreeterHelloRequest;
import helloworld.v1.GreeterHelloResponse;
import io.grpc.Status;
import io.grpc.reflection.v1.ServerReflectionGrpc;
import io.grpc.reflection.v1.ServerReflectionRequest;
import io.grpc.reflection.v1.ServerReflectionResponse;
import io.grpc.reflection.v1.ServiceResponse;
import io.grpc.stub.StreamObserver;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.micrometer.metrics.test.autoconfigure.AutoConfigureMetrics;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.context.SpringBootTest.WebEnvironment;
import org.springframework.boot.test.web.server.LocalServerPort;
import org.springframework.test.annotation.DirtiesContext;
import org.springframework.web.client.RestClient;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.awaitility.Awaitility.await;

/**
 * The whole application over real sockets, gRPC and actuator, on free ports.
 */
@SpringBootTest(webEnvironment = WebEnvironment.RANDOM_PORT)
@AutoConfigureMetrics
class SampleApplicationTests {

	@Autowired
	private GreeterGrpc.GreeterBlockingStub greeter;

	@Autowired
	private GreeterGrpc.GreeterStub asynchronousGreeter;

	@LocalServerPort
	private int webPort;

	private RestClient actuator;

	@BeforeEach
	void connectToActuator() {
		this.actuator = RestClient.create("http://localhost:" + this.webPort + "/actuator");
	}

	@Test
	void answersUnaryCalls() {
		assertThat(hello("Ada")).isEqualTo("Hello `Ada` 👋");
	}

	@Test
	void answersServerStreamingCalls() {
		assertThat(helloRepeatedly("Ada", 10_000)).hasSize(10_000).containsOnly("Hello `Ada` 👋");
	}

	@Test
	void greetsThreeTimesIfNotToldHowOften() {
		assertThat(helloRepeatedly("Ada", 0)).hasSize(3);
	}

	@Test
	void answersClientStreamingCalls() throws Exception {
		assertThat(helloTogether("Ada", "Grace", "Barbara")).containsExactly("Hello `Ada` and 2 more 👋");
		assertThat(helloTogether("Ada")).containsExactly("Hello `Ada` 👋");
	}

	@Test
	void answersBidirectionalCallsNameByName() throws Exception {
		Recorder<GreeterHelloResponse> answers = new Recorder<>();
		StreamObserver<GreeterHelloRequest> names = this.asynchronousGreeter.helloEach(answers);
		for (int i = 0; i < 100; i++) {
			names.onNext(request("name " + i));
			assertThat(answers.next().getMessage()).isEqualTo("Hello `name " + i + "` 👋");
		}
		names.onCompleted();
		assertThat(answers.all()).hasSize(100);
	}

	@Test
	void answersNamesThatCameAllAtOnce() throws Exception {
		Recorder<GreeterHelloResponse> answers = new Recorder<>();
		StreamObserver<GreeterHelloRequest> names = this.asynchronousGreeter.helloEach(answers);
		for (int i = 0; i < 10_000; i++) {
			names.onNext(request("Ada"));
		}
		names.onCompleted();
		assertThat(answers.all()).hasSize(10_000)
			.allSatisfy((answer) -> assertThat(answer.getMessage()).isEqualTo("Hello `Ada` 👋"));
	}

	@Test
	void refusesWhatItCannotGreetWithAReason() {
		Status repeated = Status.fromThrowable(catchThrowable(() -> helloRepeatedly("Ada", -1)));
		assertThat(repeated.getCode()).isEqualTo(Status.Code.INVALID_ARGUMENT);
		assertThat(repeated.getDescription()).isEqualTo("times is -1; it must be at least 1, or 0 for 3");
		Status together = Status.fromThrowable(catchThrowable(this::helloTogether));
		assertThat(together.getCode()).isEqualTo(Status.Code.INVALID_ARGUMENT);
		assertThat(together.getDescription()).isEqualTo("no name came; send at least one");
	}

	@Test
	void tellsToolsWhichServicesThereAre(@Autowired ServerReflectionGrpc.ServerReflectionStub reflection)
			throws Exception {
		Recorder<ServerReflectionResponse> answers = new Recorder<>();
		StreamObserver<ServerReflectionRequest> requests = reflection.serverReflectionInfo(answers);
		requests.onNext(ServerReflectionRequest.newBuilder().setListServices("").build());
		requests.onCompleted();
		assertThat(answers.all().get(0).getListServicesResponse().getServiceList()).extracting(ServiceResponse::getName)
			.contains("helloworld.v1.Greeter");
	}

	@Test
	@DirtiesContext(methodMode = DirtiesContext.MethodMode.BEFORE_METHOD)
	void actuatorCountsEveryCall() throws Exception {
		for (int i = 0; i < 5; i++) {
			hello("Ada");
		}
		helloRepeatedly("Ada", 3);
		helloRepeatedly("Ada", 4);
		helloTogether("Ada", "Grace");
		Recorder<GreeterHelloResponse> answers = new Recorder<>();
		StreamObserver<GreeterHelloRequest> names = this.asynchronousGreeter.helloEach(answers);
		names.onNext(request("Ada"));
		names.onCompleted();
		answers.all();
		await().untilAsserted(() -> assertThat(count("grpc.server")).isEqualTo(5 + 2 + 1 + 1));
		assertThat(count("grpc.server?tag=rpc.service:helloworld.v1.Greeter")).isEqualTo(9);
		assertThat(count("grpc.server?tag=grpc.status_code:OK")).isEqualTo(9);
		assertThat(count("grpc.server?tag=rpc.method:Hello")).isEqualTo(5);
		assertThat(count("grpc.server?tag=rpc.method:HelloRepeatedly")).isEqualTo(2);
		assertThat(count("grpc.server?tag=rpc.method:HelloTogether")).isEqualTo(1);
		assertThat(count("grpc.server?tag=rpc.method:HelloEach")).isEqualTo(1);
		assertThat(count("grpc.server.received")).isEqualTo(5 + 1 + 1 + 2 + 1);
		assertThat(count("grpc.server.sent")).isEqualTo(5 + 3 + 4 + 1 + 1);
		assertThat(prometheus().lines()).anySatisfy((line) -> assertThat(line).startsWith("grpc_server_seconds_count{")
			.contains("rpc_service=\"helloworld.v1.Greeter\"", "rpc_method=\"Hello\"", "grpc_status_code=\"OK\"")
			.endsWith(" 5"));
	}

	private String hello(String name) {
		return this.greeter.hello(request(name)).getMessage();
	}

	private List<String> helloRepeatedly(String name, int times) {
		List<String> answers = new ArrayList<>();
		this.greeter.helloRepeatedly(GreeterHelloRepeatedlyRequest.newBuilder().setName(name).setTimes(times).build())
			.forEachRemaining((response) -> answers.add(response.getMessage()));
		return answers;
	}

	private List<String> helloTogether(String... names) throws Exception {
		Recorder<GreeterHelloResponse> answers = new Recorder<>();
		StreamObserver<GreeterHelloRequest> requests = this.asynchronousGreeter.helloTogether(answers);
		Stream.of(names).map(SampleApplicationTests::request).forEach(requests::onNext);
		requests.onCompleted();
		return answers.all().stream().map(GreeterHelloResponse::getMessage).toList();
	}

	private static GreeterHelloRequest request(String name) {
		return GreeterHelloRequest.newBuilder().setName(name).build();
	}

	private double count(String meter) {
		JsonNode answer = this.actuator.get().uri("/metrics/" + meter).retrieve().body(JsonNode.class);
		assertThat(answer).isNotNull();
		return answer.get("measurements").get(0).get("value").asDouble();
	}

	private String prometheus() {
		String answer = this.actuator.get().uri("/prometheus").retrieve().body(String.class);
		assertThat(answer).isNotNull();
		return answer;
	}

}
