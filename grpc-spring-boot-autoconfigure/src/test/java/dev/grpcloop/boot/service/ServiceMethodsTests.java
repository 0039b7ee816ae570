package dev.grpcloop.boot.service;

import java.lang.reflect.Method;
import java.util.List;

import dev.grpcloop.boot.test.v1.FarewellGrpc;
import dev.grpcloop.boot.test.v1.GreeterGrpc;
import dev.grpcloop.boot.test.v1.HelloRequest;
import dev.grpcloop.boot.test.v1.HelloResponse;
import dev.grpcloop.boot.testsupport.GreeterService;
import io.grpc.stub.StreamObserver;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link ServiceMethods}.
 */
class ServiceMethodsTests {

	@Test
	void areThoseThatServeTheRpcs() throws NoSuchMethodException {
		assertThat(ServiceMethods.of(GreeterService.class, GreeterGrpc.getServiceDescriptor()))
			.containsOnlyKeys("test.v1.Greeter/Hello", "test.v1.Greeter/Repeat", "test.v1.Greeter/Collect",
					"test.v1.Greeter/Chat")
			.containsEntry("test.v1.Greeter/Hello",
					GreeterService.class.getMethod("hello", HelloRequest.class, StreamObserver.class))
			.containsEntry("test.v1.Greeter/Chat", GreeterService.class.getMethod("chat", StreamObserver.class));
	}

	@Test
	void inheritedOnesAreFound() throws NoSuchMethodException {
		assertThat(ServiceMethods.of(Inheriting.class, GreeterGrpc.getServiceDescriptor())).containsEntry(
				"test.v1.Greeter/Hello",
				GreeterService.class.getMethod("hello", HelloRequest.class, StreamObserver.class));
	}

	@Test
	void helpersOfTheSameNameAreNotMeant() throws NoSuchMethodException {
		assertThat(bye(WithHelpers.class))
			.isEqualTo(WithHelpers.class.getMethod("bye", HelloRequest.class, StreamObserver.class));
	}

	@Test
	void genericOnesAreFoundWithoutTheirBridges() {
		assertThat(bye(OfGenerics.class)).isNotNull().satisfies((method) -> {
			assertThat(method.isBridge()).isFalse();
			assertThat(method.getDeclaringClass()).isEqualTo(OfGenerics.class);
		});
	}

	@Test
	void theOverriddenOneOfSeveralFormsIsMeant() {
		assertThat(bye(OfForms.class)).isNotNull()
			.satisfies((method) -> assertThat(method.getDeclaringClass()).isEqualTo(OfForms.class));
	}

	@Test
	void classesWithoutThemHaveNone() {
		assertThat(ServiceMethods.of(String.class, FarewellGrpc.getServiceDescriptor())).isEmpty();
	}

	private static Method bye(Class<?> type) {
		return ServiceMethods.of(type, FarewellGrpc.getServiceDescriptor()).get("test.v1.Farewell/Bye");
	}

	static class Inheriting extends GreeterService {

	}

	static class WithHelpers extends FarewellGrpc.FarewellImplBase {

		@Override
		public void bye(HelloRequest request, StreamObserver<HelloResponse> responses) {
		}

		public void bye() {
		}

		public void bye(String name) {
		}

		public void bye(String name, int times) {
		}

		public void bye(HelloRequest request, StreamObserver<HelloResponse> responses, int times) {
		}

		void bye(HelloRequest request) {
		}

		public static void bye(HelloRequest request, String name) {
		}

	}

	abstract static class Generic<Q, R> {

		public abstract void bye(Q request, StreamObserver<R> responses);

	}

	static class OfGenerics extends Generic<HelloRequest, HelloResponse> {

		@Override
		public void bye(HelloRequest request, StreamObserver<HelloResponse> responses) {
		}

	}

	/** As other generators do it. */
	static class Forms {

		public List<HelloResponse> bye(HelloRequest request) {
			return List.of();
		}

		public List<HelloResponse> bye(List<HelloRequest> requests) {
			return List.of();
		}

	}

	static class OfForms extends Forms {

		@Override
		public List<HelloResponse> bye(List<HelloRequest> requests) {
			return List.of();
		}

	}

}
