package dev.grpcloop.boot.test.autoconfigure;

import dev.grpcloop.boot.test.sample.Requests;
import dev.grpcloop.boot.test.sample.TestedApplication;
import dev.grpcloop.boot.test.v1.GreeterGrpc;
import io.grpc.Channel;
import io.grpc.ManagedChannel;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.inprocess.InProcessChannelBuilder;
import org.junit.jupiter.api.Test;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.context.TestConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Import;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * An application that is a client of other servers itself.
 */
@SpringBootTest(classes = TestedApplication.class)
@Import(OwnClientTests.Clients.class)
class OwnClientTests {

	@Autowired
	private GreeterGrpc.GreeterBlockingStub own;

	@Autowired
	private ManagedChannel ownChannel;

	@LocalGrpcClient
	private GreeterGrpc.GreeterBlockingStub local;

	private final Channel localChannel;

	private final Relay relay;

	OwnClientTests(@LocalGrpcClient Channel localChannel, @Autowired Relay relay) {
		this.localChannel = localChannel;
		this.relay = relay;
	}

	@Test
	void autowiredIsTheBeanOfTheApplication(@Autowired GreeterGrpc.GreeterBlockingStub bean) {
		assertThat(this.own).isSameAs(bean);
		assertThat(this.own.getChannel()).isSameAs(this.ownChannel);
		assertThatExceptionOfType(StatusRuntimeException.class).isThrownBy(() -> this.own.hello(Requests.ADA))
			.satisfies((ex) -> assertThat(ex.getStatus().getCode()).isEqualTo(Status.Code.UNAVAILABLE));
	}

	@Test
	void theAnnotationMeansTheServerOfTheTest(@LocalGrpcClient GreeterGrpc.GreeterFutureStub parameter)
			throws Exception {
		assertThat(this.local.hello(Requests.ADA).getMessage()).isEqualTo("Hello Ada");
		assertThat(GreeterGrpc.newBlockingStub(this.localChannel).hello(Requests.ADA).getMessage())
			.isEqualTo("Hello Ada");
		assertThat(parameter.hello(Requests.ADA).get().getMessage()).isEqualTo("Hello Ada");
	}

	@Test
	void theAnnotationWorksInBeansThatAreMadeBeforeTheServerStarts() {
		assertThat(this.relay.stub().hello(Requests.ADA).getMessage()).isEqualTo("Hello Ada");
	}

	record Relay(GreeterGrpc.GreeterBlockingStub stub) {

	}

	@TestConfiguration(proxyBeanMethods = false)
	static class Clients {

		@Bean(destroyMethod = "shutdownNow")
		ManagedChannel elsewhere() {
			return InProcessChannelBuilder.forName("elsewhere").build();
		}

		@Bean
		GreeterGrpc.GreeterBlockingStub elsewhereGreeter(ManagedChannel channel) {
			return GreeterGrpc.newBlockingStub(channel);
		}

		@Bean
		Relay relay(@LocalGrpcClient GreeterGrpc.GreeterBlockingStub stub) {
			return new Relay(stub);
		}

	}

}
