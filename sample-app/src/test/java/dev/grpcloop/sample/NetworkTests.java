package dev.grpcloop.sample;

import dev.grpcloop.boot.test.autoconfigure.LocalGrpcServerPort;
import helloworld.v1.GreeterGrpc;
import helloworld.v1.GreeterHelloRequest;
import io.grpc.Grpc;
import io.grpc.InsecureChannelCredentials;
import io.grpc.ManagedChannel;
import org.junit.jupiter.api.Test;

import org.springframework.boot.test.context.SpringBootTest;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The whole application on a free port, with a channel of the test's own.
 */
@SpringBootTest
class NetworkTests {

	@LocalGrpcServerPort
	private int port;

	@Test
	void greets() {
		ManagedChannel channel = Grpc
			.newChannelBuilderForAddress("localhost", this.port, InsecureChannelCredentials.create())
			.build();
		try {
			GreeterHelloRequest request = GreeterHelloRequest.newBuilder().setName("Ada").build();
			assertThat(GreeterGrpc.newBlockingStub(channel).hello(request).getMessage()).isEqualTo("Hello `Ada` 👋");
		}
		finally {
			channel.shutdownNow();
		}
	}

}
