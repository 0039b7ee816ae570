package dev.grpcloop.boot.reflection;

import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

import dev.grpcloop.boot.server.EventLoopGrpcServerLifecycle;
import dev.grpcloop.boot.testsupport.GreeterClient;
import dev.grpcloop.boot.testsupport.GreeterService;
import dev.grpcloop.boot.testsupport.StartedServer;
import dev.grpcloop.boot.testsupport.TestApplications;
import io.grpc.BindableService;
import io.grpc.CallOptions;
import io.grpc.Channel;
import io.grpc.protobuf.services.ProtoReflectionServiceV1;
import io.grpc.reflection.v1.ServerReflectionGrpc;
import io.grpc.reflection.v1.ServerReflectionRequest;
import io.grpc.reflection.v1.ServerReflectionResponse;
import io.grpc.reflection.v1.ServiceResponse;
import io.grpc.stub.ClientCalls;
import io.grpc.stub.StreamObserver;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * What tools can ask.
 */
@Timeout(60)
class ReflectionTests {

	private static final String GREETER = "test.v1.Greeter";

	private static final String V1 = "grpc.reflection.v1.ServerReflection";

	private static final String V1_ALPHA = "grpc.reflection.v1alpha.ServerReflection";

	private final ApplicationContextRunner runner = TestApplications.runner();

	private final ApplicationContextRunner greeter = this.runner.withBean(GreeterService.class);

	/** The messages of both are the same on the wire. */
	@ParameterizedTest
	@ValueSource(strings = { V1, V1_ALPHA })
	void toolsHearOfTheServices(String service) {
		this.greeter.run((context) -> {
			try (GreeterClient client = GreeterClient.of(context)) {
				assertThat(services(client.channel(), service)).contains(GREETER, V1, V1_ALPHA);
			}
		});
	}

	@Test
	void aServerThatStartsAgainIsReflectedAgain() {
		this.greeter.run((context) -> {
			EventLoopGrpcServerLifecycle lifecycle = context.getBean(EventLoopGrpcServerLifecycle.class);
			lifecycle.stop();
			lifecycle.start();
			try (GreeterClient client = GreeterClient.of(context)) {
				assertThat(services(client.channel(), V1)).contains(GREETER);
			}
		});
	}

	@Test
	void aServerWithoutServicesHasNoneToTell() {
		this.runner.run((context) -> assertThat(StartedServer.services(context)).isEmpty());
	}

	@Test
	void reflectionCanBeSwitchedOff() {
		this.greeter.withPropertyValues("grpc.server.reflection.enabled=false").run((context) -> {
			assertThat(context).doesNotHaveBean(ReflectionServices.class);
			assertThat(StartedServer.services(context)).contains(GREETER).doesNotContain(V1, V1_ALPHA);
		});
	}

	@Test
	void aReflectionServiceOfTheApplicationIsTheOnlyOne() {
		BindableService own = ProtoReflectionServiceV1.newInstance();
		this.greeter.withBean(BindableService.class, () -> own).run((context) -> {
			assertThat(StartedServer.services(context)).containsOnlyOnce(V1, V1_ALPHA);
			assertThat(StartedServer.of(context).getServices())
				.anySatisfy((definition) -> assertThat(definition.getServiceDescriptor())
					.isSameAs(own.bindService().getServiceDescriptor()));
		});
	}

	@Test
	void theServerStartsWithoutGrpcServices() {
		this.greeter
			.withClassLoader(
					new FilteredClassLoader("io.grpc.protobuf.services", "io.grpc.reflection", "io.grpc.health"))
			.run((context) -> assertThat(StartedServer.services(context)).containsExactly(GREETER));
	}

	private static List<String> services(Channel channel, String service) throws Exception {
		CompletableFuture<List<String>> names = new CompletableFuture<>();
		StreamObserver<ServerReflectionRequest> requests = ClientCalls.asyncBidiStreamingCall(
				channel.newCall(ServerReflectionGrpc.getServerReflectionInfoMethod()
					.toBuilder()
					.setFullMethodName(service + "/ServerReflectionInfo")
					.build(), CallOptions.DEFAULT.withDeadlineAfter(20, TimeUnit.SECONDS)),
				new StreamObserver<ServerReflectionResponse>() {

					@Override
					public void onNext(ServerReflectionResponse response) {
						names.complete(response.getListServicesResponse()
							.getServiceList()
							.stream()
							.map(ServiceResponse::getName)
							.toList());
					}

					@Override
					public void onError(Throwable ex) {
						names.completeExceptionally(ex);
					}

					@Override
					public void onCompleted() {
						names.completeExceptionally(new IllegalStateException("no answer"));
					}

				});
		requests.onNext(ServerReflectionRequest.newBuilder().setListServices("").build());
		List<String> result = names.get(20, TimeUnit.SECONDS);
		requests.onCompleted();
		return result;
	}

}
