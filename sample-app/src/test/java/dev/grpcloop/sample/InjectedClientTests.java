package dev.grpcloop.sample;

import helloworld.v1.GreeterGrpc;
import helloworld.v1.GreeterHelloRequest;
import org.junit.jupiter.api.Test;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * A client of the server, injected.
 */
@SpringBootTest
class InjectedClientTests {

	@Autowired
	private GreeterGrpc.GreeterBlockingStub greeter;

	@Test
	void greets() {
		GreeterHelloRequest request = GreeterHelloRequest.newBuilder().setName("Ada").build();
		assertThat(this.greeter.hello(request).getMessage()).isEqualTo("Hello `Ada` 👋");
	}

}
