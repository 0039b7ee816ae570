package dev.grpcloop.sample;

import dev.grpcloop.boot.test.autoconfigure.AutoConfigureTestGrpcTransport;
import helloworld.v1.GreeterGrpc;
import helloworld.v1.GreeterHelloRequest;
import org.junit.jupiter.api.Test;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The whole application without a port.
 */
@SpringBootTest
@AutoConfigureTestGrpcTransport
class TransportTests {

	@Autowired
	private GreeterGrpc.GreeterBlockingStub greeter;

	@Test
	void greets() {
		GreeterHelloRequest request = GreeterHelloRequest.newBuilder().setName("Ada").build();
		assertThat(this.greeter.hello(request).getMessage()).isEqualTo("Hello `Ada` 👋");
	}

}
