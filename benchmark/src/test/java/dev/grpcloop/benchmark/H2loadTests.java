package dev.grpcloop.benchmark;

import java.io.IOException;
import java.nio.ByteBuffer;

import helloworld.v1.GreeterHelloRequest;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class H2loadTests {

	@Test
	void sendsOneRequestInGrpcFraming() throws IOException {
		byte[] request = GreeterHelloRequest.newBuilder().setName("grpc-client").build().toByteArray();
		byte[] framed = ByteBuffer.allocate(5 + request.length)
			.put((byte) 0)
			.putInt(request.length)
			.put(request)
			.array();
		assertThat(H2load.payload()).isEqualTo(framed);
	}

}
