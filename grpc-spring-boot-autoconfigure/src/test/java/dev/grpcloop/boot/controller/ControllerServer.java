package dev.grpcloop.boot.controller;

import dev.grpcloop.boot.test.v1.GreeterGrpc;
import dev.grpcloop.boot.test.v1.HelloRequest;
import dev.grpcloop.boot.test.v1.HelloResponse;
import dev.grpcloop.boot.testsupport.GreeterClient;
import dev.grpcloop.boot.testsupport.TestApplications;
import io.grpc.CallOptions;
import io.grpc.MethodDescriptor;

import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.support.GenericApplicationContext;

/**
 * An application whose one service is a controller, and a client of it.
 */
final class ControllerServer implements AutoCloseable {

	private final ConfigurableApplicationContext context;

	private final GreeterClient client;

	private ControllerServer(ConfigurableApplicationContext context) {
		this.context = context;
		this.client = GreeterClient.of(context);
	}

	@SuppressWarnings("unchecked")
	static ControllerServer start(Object controller, String... properties) {
		return start(Nothing.class, controller, properties);
	}

	@SuppressWarnings("unchecked")
	static ControllerServer start(Class<?> configuration, Object controller, String... properties) {
		return new ControllerServer(TestApplications.builder(configuration, properties)
			.initializers((context) -> ((GenericApplicationContext) context).registerBean("greeter",
					(Class<Object>) controller.getClass(), () -> controller))
			.run());
	}

	ConfigurableApplicationContext context() {
		return this.context;
	}

	GreeterClient client() {
		return this.client;
	}

	TestCall hello(String... names) {
		return call(GreeterGrpc.getHelloMethod()).send(names).end();
	}

	TestCall repeat(String name) {
		return call(GreeterGrpc.getRepeatMethod()).send(name).end();
	}

	TestCall collect() {
		return call(GreeterGrpc.getCollectMethod());
	}

	TestCall chat() {
		return call(GreeterGrpc.getChatMethod());
	}

	TestCall call(MethodDescriptor<HelloRequest, HelloResponse> method) {
		return TestCall.start(this.client.channel(), method);
	}

	TestCall call(MethodDescriptor<HelloRequest, HelloResponse> method, CallOptions options, int responses) {
		return TestCall.start(this.client.channel(), method, options, responses);
	}

	@Override
	public void close() throws InterruptedException {
		this.client.close();
		this.context.close();
	}

	@Configuration(proxyBeanMethods = false)
	static class Nothing {

	}

}
