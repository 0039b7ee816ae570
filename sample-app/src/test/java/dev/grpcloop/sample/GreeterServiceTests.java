package dev.grpcloop.sample;

import dev.grpcloop.boot.test.autoconfigure.GrpcServiceTest;
import helloworld.v1.GreeterGrpc;
import helloworld.v1.GreeterHelloRequest;
import org.junit.jupiter.api.Test;

import org.springframework.beans.factory.annotation.Autowired;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The service alone: no port, no web server, none of the application's other components.
 */
@GrpcServiceTest(GreeterService.class)
class GreeterServiceTests {

	@Autowired
	private GreeterGrpc.GreeterBlockingStub greeter;

	@Test
	void greets() {
		GreeterHelloRequest request = GreeterHelloRequest.newBuilder().setName("Ada").build();
		assertThat(this.greeter.hello(request).getMessage()).isEqualTo("Hello `Ada` 👋");
	}

}
