package dev.grpcloop.engine;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

import com.google.protobuf.BytesValue;
import io.grpc.BindableService;
import io.grpc.HandlerRegistry;
import io.grpc.ServerMethodDefinition;
import io.grpc.ServerServiceDefinition;
import io.grpc.ServiceDescriptor;
import io.grpc.Status;
import io.grpc.util.MutableHandlerRegistry;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * The services of a server, and those of its fallback registry.
 */
class RegistryTests {

	@Test
	void theServerNamesItsServices() throws Exception {
		ServerServiceDefinition echo = new EchoService().bindService();
		MutableHandlerRegistry fallback = new MutableHandlerRegistry();
		ServerServiceDefinition other = named("t.Other");
		fallback.addService(other);
		try (TestServer server = TestServer
			.start((builder) -> builder.addService(echo).fallbackHandlerRegistry(fallback))) {
			assertThat(server.server().getImmutableServices()).containsExactly(echo);
			assertThat(server.server().getMutableServices()).containsExactly(other);
			assertThat(server.server().getServices()).containsExactly(echo, other);
			ServerServiceDefinition later = named("t.Later");
			fallback.addService(later);
			assertThat(server.server().getServices()).containsExactlyInAnyOrder(echo, other, later);
			assertThatExceptionOfType(UnsupportedOperationException.class)
				.isThrownBy(() -> server.server().getImmutableServices().clear());
			assertThatExceptionOfType(UnsupportedOperationException.class)
				.isThrownBy(() -> server.server().getServices().clear());
		}
	}

	@Test
	void aServerMayHaveNoService() throws Exception {
		try (TestServer server = TestServer.start()) {
			assertThat(server.server().getServices()).isEmpty();
			assertThat(server.server().getMutableServices()).isEmpty();
			RecordingObserver<BytesValue> responses = new RecordingObserver<>();
			server.async().unary(Messages.text("a"), responses);
			assertThat(responses.status().getCode()).isEqualTo(Status.Code.UNIMPLEMENTED);
		}
	}

	@Test
	void twoServicesOfOneNameAreAFault() {
		EventLoopServerBuilder builder = EventLoopServerBuilder.forPort(0).addService(new EchoService());
		assertThatIllegalStateException().isThrownBy(() -> builder.addService(new EchoService()))
			.withMessageContaining("t.Echo");
		assertThatIllegalStateException()
			.isThrownBy(() -> builder.addServices(List.of(new EchoService().bindService())))
			.withMessageContaining("t.Echo");
	}

	@Test
	void listsOfServicesAreAdded() throws Exception {
		try (TestServer server = TestServer
			.start((builder) -> builder.addServices(List.of(new EchoService().bindService(), named("t.Other"))))) {
			assertThat(server.server().getServices()).extracting((service) -> service.getServiceDescriptor().getName())
				.containsExactly("t.Echo", "t.Other");
			assertThat(server.blocking().unary(Messages.text("a"))).isEqualTo(Messages.text("a"));
		}
	}

	@BothModes
	void methodsOfTheFallbackRegistryAreServedWhileTheyAreThere(Mode mode) throws Exception {
		MutableHandlerRegistry fallback = new MutableHandlerRegistry();
		try (TestServer server = TestServer.start(mode::apply,
				(builder) -> builder.fallbackHandlerRegistry(fallback))) {
			assertThat(call(server).getCode()).isEqualTo(Status.Code.UNIMPLEMENTED);
			ServerServiceDefinition echo = new EchoService().bindService();
			fallback.addService(echo);
			assertThat(call(server).getCode()).isEqualTo(Status.Code.OK);
			assertThat(call(server).getCode()).isEqualTo(Status.Code.OK);
			fallback.removeService(echo);
			assertThat(call(server).getCode()).isEqualTo(Status.Code.UNIMPLEMENTED);
		}
	}

	@Test
	void theFallbackRegistryIsAskedOnlyForWhatTheServicesLack() throws Exception {
		List<String> asked = new CopyOnWriteArrayList<>();
		HandlerRegistry fallback = new HandlerRegistry() {

			@Override
			public @Nullable ServerMethodDefinition<?, ?> lookupMethod(String methodName, @Nullable String authority) {
				asked.add(methodName + " at " + authority);
				return null;
			}

		};
		BindableService unaryOnly = () -> ServerServiceDefinition.builder("t.Echo")
			.addMethod(new EchoService().bindService().getMethod("t.Echo/Unary"))
			.build();
		try (TestServer server = TestServer
			.start((builder) -> builder.addService(unaryOnly).fallbackHandlerRegistry(fallback))) {
			server.newChannel((builder) -> builder.overrideAuthority("example.org"));
			assertThat(call(server).getCode()).isEqualTo(Status.Code.OK);
			RecordingObserver<BytesValue> responses = new RecordingObserver<>();
			server.async().bidi(responses);
			assertThat(responses.status().getCode()).isEqualTo(Status.Code.UNIMPLEMENTED);
			assertThat(asked).containsExactly("t.Echo/Bidi at example.org");
		}
	}

	private static Status call(TestServer server) throws InterruptedException {
		RecordingObserver<BytesValue> responses = new RecordingObserver<>();
		server.async().unary(Messages.text("a"), responses);
		return responses.status();
	}

	private static ServerServiceDefinition named(String name) {
		return ServerServiceDefinition.builder(ServiceDescriptor.newBuilder(name).build()).build();
	}

}
