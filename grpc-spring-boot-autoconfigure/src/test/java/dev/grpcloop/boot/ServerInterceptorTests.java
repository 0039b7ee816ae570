package dev.grpcloop.boot;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

import dev.grpcloop.boot.test.v1.FarewellGrpc;
import dev.grpcloop.boot.test.v1.GreeterGrpc;
import dev.grpcloop.boot.test.v1.HelloRequest;
import dev.grpcloop.boot.test.v1.HelloResponse;
import dev.grpcloop.boot.testsupport.GreeterClient;
import dev.grpcloop.boot.testsupport.GreeterService;
import dev.grpcloop.boot.testsupport.TestApplications;
import io.grpc.Metadata;
import io.grpc.ServerCall;
import io.grpc.ServerCallHandler;
import io.grpc.ServerInterceptor;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.stub.StreamObserver;
import org.junit.jupiter.api.Test;

import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;
import org.springframework.grpc.server.GlobalServerInterceptor;
import org.springframework.grpc.server.service.GrpcService;
import org.springframework.grpc.server.service.ServerInterceptorFilter;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * The interceptors of an application around the calls of its services.
 */
class ServerInterceptorTests {

	@Test
	void globalInterceptorsRunInTheirOrderHoweverItIsDeclared() throws Exception {
		try (ConfigurableApplicationContext context = TestApplications.run(Interceptors.class);
				GreeterClient client = GreeterClient.of(context)) {
			client.hello("Ada");
			assertThat(context.getBean(Trace.class).names).containsExactly("interface", "class", "method", "unordered");
		}
	}

	@Test
	void theInterceptorsOfAServiceRunInsideTheGlobalOnes() throws Exception {
		try (ConfigurableApplicationContext context = TestApplications.run(ServiceInterceptors.class);
				GreeterClient client = GreeterClient.of(context)) {
			FarewellGrpc.newBlockingStub(client.channel()).bye(GreeterService.request("Ada"));
			assertThat(context.getBean(Trace.class).names).containsExactly("interface", "class", "method", "unordered",
					"by type", "by name");
		}
	}

	@Test
	void filtersKeepGlobalInterceptorsFromAService() throws Exception {
		try (ConfigurableApplicationContext context = TestApplications.run(FilteredInterceptors.class);
				GreeterClient client = GreeterClient.of(context)) {
			client.hello("Ada");
			assertThat(context.getBean(Trace.class).names).isEmpty();
			FarewellGrpc.newBlockingStub(client.channel()).bye(GreeterService.request("Ada"));
			assertThat(context.getBean(Trace.class).names).isNotEmpty();
		}
	}

	@Test
	void anInterceptorMayRefuseACall() throws Exception {
		try (ConfigurableApplicationContext context = TestApplications.run(RefusingInterceptor.class);
				GreeterClient client = GreeterClient.of(context)) {
			assertThatExceptionOfType(StatusRuntimeException.class).isThrownBy(() -> client.hello("Ada"))
				.satisfies((ex) -> assertThat(ex.getStatus().getCode()).isEqualTo(Status.Code.PERMISSION_DENIED));
		}
	}

	record Trace(List<String> names) {
	}

	static class TracingInterceptor implements ServerInterceptor {

		private final String name;

		private final Trace trace;

		TracingInterceptor(String name, Trace trace) {
			this.name = name;
			this.trace = trace;
		}

		@Override
		public <I, O> ServerCall.Listener<I> interceptCall(ServerCall<I, O> call, Metadata headers,
				ServerCallHandler<I, O> next) {
			this.trace.names().add(this.name);
			return next.startCall(call, headers);
		}

	}

	@Order(20)
	@GlobalServerInterceptor
	static class OrderedByClass extends TracingInterceptor {

		OrderedByClass(Trace trace) {
			super("class", trace);
		}

	}

	@GlobalServerInterceptor
	static class OrderedByInterface extends TracingInterceptor implements Ordered {

		OrderedByInterface(Trace trace) {
			super("interface", trace);
		}

		@Override
		public int getOrder() {
			return 10;
		}

	}

	static class ByType extends TracingInterceptor {

		ByType(Trace trace) {
			super("by type", trace);
		}

	}

	@Configuration(proxyBeanMethods = false)
	@Import({ GreeterService.class, OrderedByClass.class, OrderedByInterface.class })
	static class Interceptors {

		@Bean
		Trace trace() {
			return new Trace(new CopyOnWriteArrayList<>());
		}

		@Bean
		@GlobalServerInterceptor
		ServerInterceptor unordered(Trace trace) {
			return new TracingInterceptor("unordered", trace);
		}

		@Bean
		@Order(30)
		@GlobalServerInterceptor
		ServerInterceptor orderedByMethod(Trace trace) {
			return new TracingInterceptor("method", trace);
		}

		@Bean
		ServerInterceptor notGlobal(Trace trace) {
			return new TracingInterceptor("by name", trace);
		}

	}

	@Configuration(proxyBeanMethods = false)
	@Import({ Interceptors.class, ByType.class, Farewell.class })
	static class ServiceInterceptors {

	}

	@Configuration(proxyBeanMethods = false)
	@Import(ServiceInterceptors.class)
	static class FilteredInterceptors {

		@Bean
		ServerInterceptorFilter notAroundGreeter() {
			return (interceptor, service) -> !service.getServiceDescriptor().getName().equals(GreeterGrpc.SERVICE_NAME);
		}

	}

	@GrpcService(interceptors = ByType.class, interceptorNames = "notGlobal")
	static class Farewell extends FarewellGrpc.FarewellImplBase {

		@Override
		public void bye(HelloRequest request, StreamObserver<HelloResponse> responses) {
			responses.onNext(GreeterService.greeting(request.getName()));
			responses.onCompleted();
		}

	}

	@Configuration(proxyBeanMethods = false)
	@Import(GreeterService.class)
	static class RefusingInterceptor {

		@Bean
		@GlobalServerInterceptor
		ServerInterceptor refusing() {
			return new ServerInterceptor() {

				@Override
				public <I, O> ServerCall.Listener<I> interceptCall(ServerCall<I, O> call, Metadata headers,
						ServerCallHandler<I, O> next) {
					call.close(Status.PERMISSION_DENIED, new Metadata());
					return new ServerCall.Listener<>() {
					};
				}

			};
		}

	}

}
