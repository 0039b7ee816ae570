package dev.grpcloop.sample;

import dev.grpcloop.boot.test.autoconfigure.LocalGrpcClient;
import helloworld.v1.GreeterGrpc;
import helloworld.v1.GreeterHelloRequest;
import org.junit.jupiter.api.Test;

import org.springframework.boot.test.context.SpringBootTest;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * A client of the server, whatever beans the application has.
 */
@SpringBootTest
class LocalClientTests {

	@LocalGrpcClient
	private GreeterGrpc.GreeterBlockingStub greeter;

	@Test
	void greets() {
		GreeterHelloRequest request = GreeterHelloRequest.newBuilder().setName("Ada").build();
		assertThat(this.greeter.hello(request).getMessage()).isEqualTo("Hello `Ada` 👋");
	}

}
