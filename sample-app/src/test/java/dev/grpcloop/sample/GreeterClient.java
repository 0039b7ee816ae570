package dev.grpcloop.sample;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

import helloworld.v1.GreeterGrpc;
import helloworld.v1.GreeterHelloRepeatedlyRequest;
import helloworld.v1.GreeterHelloRequest;
import helloworld.v1.GreeterHelloResponse;
import io.grpc.ManagedChannel;
import io.grpc.netty.NettyChannelBuilder;
import io.grpc.reflection.v1.ServerReflectionGrpc;
import io.grpc.reflection.v1.ServerReflectionRequest;
import io.grpc.reflection.v1.ServerReflectionResponse;
import io.grpc.reflection.v1.ServiceResponse;
import io.grpc.stub.StreamObserver;

/**
 * A stock grpc-java client of the greeter, on one connection.
 */
final class GreeterClient {

	private final ManagedChannel channel;

	GreeterClient(int port) {
		this.channel = NettyChannelBuilder.forAddress("localhost", port).usePlaintext().build();
	}

	String hello(String name) {
		return GreeterGrpc.newBlockingStub(this.channel).hello(request(name)).getMessage();
	}

	List<String> helloRepeatedly(String name, int times) {
		List<String> answers = new ArrayList<>();
		GreeterGrpc.newBlockingStub(this.channel)
			.helloRepeatedly(GreeterHelloRepeatedlyRequest.newBuilder().setName(name).setTimes(times).build())
			.forEachRemaining((response) -> answers.add(response.getMessage()));
		return answers;
	}

	List<String> helloTogether(String... names) throws Exception {
		Recorder<GreeterHelloResponse> answers = new Recorder<>();
		StreamObserver<GreeterHelloRequest> requests = GreeterGrpc.newStub(this.channel).helloTogether(answers);
		Stream.of(names).map(GreeterClient::request).forEach(requests::onNext);
		requests.onCompleted();
		return answers.all().stream().map(GreeterHelloResponse::getMessage).toList();
	}

	StreamObserver<GreeterHelloRequest> helloEach(Recorder<GreeterHelloResponse> answers) {
		return GreeterGrpc.newStub(this.channel).helloEach(answers);
	}

	/**
	 * Asks the reflection service.
	 */
	List<String> serviceNames() throws Exception {
		Recorder<ServerReflectionResponse> answers = new Recorder<>();
		StreamObserver<ServerReflectionRequest> requests = ServerReflectionGrpc.newStub(this.channel)
			.serverReflectionInfo(answers);
		requests.onNext(ServerReflectionRequest.newBuilder().setListServices("").build());
		requests.onCompleted();
		return answers.all()
			.get(0)
			.getListServicesResponse()
			.getServiceList()
			.stream()
			.map(ServiceResponse::getName)
			.toList();
	}

	static GreeterHelloRequest request(String name) {
		return GreeterHelloRequest.newBuilder().setName(name).build();
	}

	void close() throws InterruptedException {
		this.channel.shutdownNow();
		if (!this.channel.awaitTermination(10, TimeUnit.SECONDS)) {
			throw new AssertionError("The client's channel is still open 10 s after its shutdown");
		}
	}

}
