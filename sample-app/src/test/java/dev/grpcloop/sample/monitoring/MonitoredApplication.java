package dev.grpcloop.sample.monitoring;

import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;

import dev.grpcloop.boot.test.autoconfigure.LocalGrpcServerPort;
import helloworld.v1.GreeterGrpc;
import helloworld.v1.GreeterHelloRepeatedlyRequest;
import helloworld.v1.GreeterHelloRequest;
import io.grpc.CallOptions;
import io.grpc.Status;
import io.grpc.stub.ClientCalls;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.micrometer.metrics.test.autoconfigure.AutoConfigureMetrics;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.context.SpringBootTest.WebEnvironment;
import org.springframework.boot.test.web.server.LocalServerPort;
import org.springframework.context.annotation.Import;
import org.springframework.web.client.RestClient;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.awaitility.Awaitility.await;

/**
 * The sample application with all meters that there are: those of the histogram, of the
 * pool and of callbacks that block.
 */
@SpringBootTest(webEnvironment = WebEnvironment.RANDOM_PORT,
		properties = { "management.metrics.distribution.percentiles-histogram.grpc.server=true",
				"grpc.server.executor.mode=platform",
				"grpc.server.executor.blocked-threshold=" + BlockingService.THRESHOLD + "ms" })
@AutoConfigureMetrics
@Import(BlockingService.class)
abstract class MonitoredApplication {

	@Autowired
	private GreeterGrpc.GreeterBlockingStub greeter;

	@LocalServerPort
	int webPort;

	@LocalGrpcServerPort
	private int grpcPort;

	Exposition exposition() {
		String text = RestClient.create("http://localhost:" + this.webPort + "/actuator/prometheus")
			.get()
			.retrieve()
			.body(String.class);
		assertThat(text).isNotNull();
		return Exposition.of(text);
	}

	void hello() {
		this.greeter.hello(request());
	}

	/** A call that fails because of what it asks for. */
	void wrongHello() {
		GreeterHelloRepeatedlyRequest request = GreeterHelloRepeatedlyRequest.newBuilder().setTimes(-1).build();
		Throwable failure = catchThrowable(() -> this.greeter.helloRepeatedly(request).hasNext());
		assertThat(Status.fromThrowable(failure).getCode()).isEqualTo(Status.Code.INVALID_ARGUMENT);
	}

	/** A call that holds an event loop too long. */
	void block() {
		ClientCalls.blockingUnaryCall(this.greeter.getChannel(), BlockingService.METHOD, CallOptions.DEFAULT,
				request());
	}

	/** Makes the meter of such calls, which is not there before. */
	Exposition blockUntilCounted() {
		return await().until(() -> {
			block();
			return exposition();
		}, (exposition) -> exposition.metrics().containsKey("grpc_engine_loop_blocked_total"));
	}

	/** What a browser says to a gRPC server. */
	void speakHttp1() throws IOException {
		try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), this.grpcPort)) {
			socket.getOutputStream()
				.write("GET / HTTP/1.1\r\nHost: localhost\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
			socket.getInputStream().readAllBytes();
		}
	}

	private static GreeterHelloRequest request() {
		return GreeterHelloRequest.newBuilder().setName("Ada").build();
	}

}
