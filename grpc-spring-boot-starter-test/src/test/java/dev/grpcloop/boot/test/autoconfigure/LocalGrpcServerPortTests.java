package dev.grpcloop.boot.test.autoconfigure;

import dev.grpcloop.boot.test.sample.Requests;
import dev.grpcloop.boot.test.sample.TestedApplication;
import dev.grpcloop.boot.test.v1.GreeterGrpc;
import io.grpc.Grpc;
import io.grpc.InsecureChannelCredentials;
import io.grpc.ManagedChannel;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.grpc.server.lifecycle.GrpcServerLifecycle;

import static org.assertj.core.api.Assertions.assertThat;

@SpringBootTest(classes = TestedApplication.class)
class LocalGrpcServerPortTests {

	@LocalGrpcServerPort
	private int field;

	private final int constructorParameter;

	@Value("${local.grpc.server.port}")
	private int value;

	LocalGrpcServerPortTests(@LocalGrpcServerPort int port) {
		this.constructorParameter = port;
	}

	@Test
	void isInjectedIntoFieldsAndParameters(@LocalGrpcServerPort int methodParameter,
			@Autowired GrpcServerLifecycle server) {
		assertThat(server.getPort()).isPositive();
		assertThat(this.field).isEqualTo(server.getPort());
		assertThat(this.constructorParameter).isEqualTo(this.field);
		assertThat(methodParameter).isEqualTo(this.field);
		assertThat(this.value).isEqualTo(this.field);
	}

	@Test
	void isTheOneThatClientsReach() {
		ManagedChannel channel = Grpc
			.newChannelBuilderForAddress("localhost", this.field, InsecureChannelCredentials.create())
			.build();
		try {
			assertThat(GreeterGrpc.newBlockingStub(channel).hello(Requests.ADA).getMessage()).isEqualTo("Hello Ada");
		}
		finally {
			channel.shutdownNow();
		}
	}

	@Nested
	class InNestedClasses {

		@LocalGrpcServerPort
		private int nestedField;

		@Test
		void itIsThePortOfTheSameServer() {
			assertThat(this.nestedField).isEqualTo(LocalGrpcServerPortTests.this.field);
		}

	}

}
