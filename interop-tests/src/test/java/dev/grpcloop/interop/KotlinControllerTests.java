package dev.grpcloop.interop;

import com.google.protobuf.ByteString;
import dev.grpcloop.boot.autoconfigure.GrpcLoopServerAutoConfiguration;
import io.grpc.ManagedChannel;
import io.grpc.netty.NettyChannelBuilder;
import io.grpc.testing.integration.Messages.Payload;
import io.grpc.testing.integration.Messages.SimpleRequest;
import io.grpc.testing.integration.Messages.StreamingOutputCallRequest;
import io.grpc.testing.integration.TestServiceGrpc;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import org.springframework.boot.Banner;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatException;

/**
 * Services of plain methods that are written in Kotlin.
 */
@Timeout(60)
class KotlinControllerTests {

	private static final Payload WORD = Payload.newBuilder().setBody(ByteString.copyFromUtf8("Ada")).build();

	@Test
	void functionsAreMethods() {
		try (ConfigurableApplicationContext context = run(PlainController.class)) {
			ManagedChannel channel = NettyChannelBuilder
				.forAddress("127.0.0.1",
						context.getEnvironment().getRequiredProperty("local.grpc.server.port", Integer.class))
				.usePlaintext()
				.build();
			try {
				TestServiceGrpc.TestServiceBlockingStub stub = TestServiceGrpc.newBlockingStub(channel);
				assertThat(stub.unaryCall(SimpleRequest.newBuilder().setPayload(WORD).build()).getPayload())
					.isEqualTo(WORD);
				assertThat(stub.streamingOutputCall(StreamingOutputCallRequest.newBuilder().setPayload(WORD).build()))
					.toIterable()
					.singleElement()
					.satisfies((response) -> assertThat(response.getPayload()).isEqualTo(WORD));
			}
			finally {
				channel.shutdownNow();
			}
		}
	}

	@ParameterizedTest
	@CsvSource({ "dev.grpcloop.interop.SuspendController, unaryCall, suspend function",
			"dev.grpcloop.interop.FlowController, streamingOutputCall, Flow of kotlinx.coroutines" })
	void coroutinesAreRefusedWithWhatToDo(Class<?> controller, String method, String what) {
		assertThatException().isThrownBy(() -> run(controller))
			.havingRootCause()
			.withMessageContainingAll(controller.getSimpleName(), method, what, "CoroutineImplBase");
	}

	private static ConfigurableApplicationContext run(Class<?> controller) {
		return new SpringApplicationBuilder(GrpcLoopServerAutoConfiguration.class, controller)
			.web(WebApplicationType.NONE)
			.bannerMode(Banner.Mode.OFF)
			.properties("grpc.server.port=0", "grpc.server.address=127.0.0.1", "grpc.server.workers=1")
			.run();
	}

}
