package dev.grpcloop.boot.controller;

import java.io.InputStream;
import java.util.Iterator;
import java.util.List;
import java.util.Set;
import java.util.function.Supplier;

import dev.grpcloop.boot.GrpcCallContext;
import dev.grpcloop.boot.GrpcMethod;
import dev.grpcloop.boot.GrpcSink;
import dev.grpcloop.boot.executor.CallExecutorFactory;
import dev.grpcloop.boot.executor.CallTaskExecutor;
import dev.grpcloop.boot.executor.ExecutorMode;
import dev.grpcloop.boot.test.v1.GreeterGrpc;
import dev.grpcloop.boot.test.v1.HelloRequest;
import dev.grpcloop.boot.test.v1.HelloResponse;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import io.grpc.MethodDescriptor.MethodType;
import io.grpc.ServiceDescriptor;
import org.junit.jupiter.api.Test;

import org.springframework.aop.framework.ProxyFactory;
import org.springframework.beans.factory.support.StaticListableBeanFactory;
import org.springframework.boot.diagnostics.FailureAnalyzedException;
import org.springframework.mock.env.MockEnvironment;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Which methods of a bean serve which RPCs, and what stops the start.
 */
class ControllerBindingTests {

	@Test
	void aMethodServesTheRpcWhoseGeneratedNameItBears() {
		assertThat(bind(new Named()).methods()).containsOnlyKeys("test.v1.Greeter/Hello")
			.hasEntrySatisfying("test.v1.Greeter/Hello",
					(method) -> assertThat(method.getDeclaringClass()).isEqualTo(Named.class));
	}

	static class Named {

		public HelloResponse hello(HelloRequest request) {
			return HelloResponse.getDefaultInstance();
		}

		public String somethingElse(int number) {
			return "";
		}

		HelloResponse helper(HelloRequest request) {
			return HelloResponse.getDefaultInstance();
		}

	}

	@Test
	void wordsOfJavaHaveAnUnderscore() {
		assertThat(bind(new Words(), WordsGrpc.class).methods().keySet())
			.containsExactlyInAnyOrder("test.v1.Words/Import", "test.v1.Words/say_hello");
	}

	static class Words {

		public HelloResponse import_(HelloRequest request) {
			return HelloResponse.getDefaultInstance();
		}

		public HelloResponse sayHello(HelloRequest request) {
			return HelloResponse.getDefaultInstance();
		}

	}

	static final class WordsGrpc {

		static ServiceDescriptor getServiceDescriptor() {
			return ServiceDescriptor.newBuilder("test.v1.Words")
				.addMethod(ShapesGrpc.method("test.v1.Words/Import", MethodType.UNARY))
				.addMethod(ShapesGrpc.method("test.v1.Words/say_hello", MethodType.UNARY))
				.build();
		}

	}

	@Test
	void anAnnotationNamesTheRpcInShortOrInFull() {
		assertThat(bind(new Annotated()).methods().keySet()).containsExactlyInAnyOrder("test.v1.Greeter/Hello",
				"test.v1.Greeter/Repeat");
	}

	static class Annotated {

		@GrpcMethod("Hello")
		public HelloResponse greet(HelloRequest request) {
			return HelloResponse.getDefaultInstance();
		}

		@GrpcMethod("test.v1.Greeter/Repeat")
		public Iterator<HelloResponse> hello(HelloRequest request) {
			return List.of(HelloResponse.getDefaultInstance()).iterator();
		}

	}

	@Test
	void furtherParametersStandAnywhere() {
		assertThat(bind(new Further()).methods()).hasSize(2);
	}

	static class Further {

		public HelloResponse hello(GrpcCallContext context, HelloRequest request, Metadata headers) {
			return HelloResponse.getDefaultInstance();
		}

		public void repeat(GrpcSink<HelloResponse> responses, Metadata headers, GrpcCallContext context,
				HelloRequest request) {
			responses.complete();
		}

	}

	@Test
	void genericAndInheritedMethodsAreResolved() {
		assertThat(bind(new Inheriting()).methods().keySet()).containsExactlyInAnyOrder("test.v1.Greeter/Hello",
				"test.v1.Greeter/Repeat", "test.v1.Greeter/Collect");
	}

	interface Repeating<Q, R> {

		default Iterator<R> repeat(Q request) {
			return List.<R>of().iterator();
		}

		R collect(Iterator<Q> requests);

	}

	abstract static class Greeting<Q, R> {

		public R hello(Q request) {
			return answer();
		}

		protected abstract R answer();

	}

	static class Inheriting extends Greeting<HelloRequest, HelloResponse>
			implements Repeating<HelloRequest, HelloResponse> {

		@Override
		protected HelloResponse answer() {
			return HelloResponse.getDefaultInstance();
		}

		@Override
		public HelloResponse collect(Iterator<HelloRequest> requests) {
			return HelloResponse.getDefaultInstance();
		}

	}

	@Test
	void methodsOfAHiddenBaseClassAreFoundBehindTheirBridges() {
		assertThat(bind(new Public()).methods()).containsOnlyKeys("test.v1.Greeter/Hello");
	}

	static class Hidden {

		public HelloResponse hello(HelloRequest request) {
			return HelloResponse.getDefaultInstance();
		}

	}

	public static class Public extends Hidden {

	}

	@Test
	void anAnnotationOfAnInterfaceCounts() {
		assertThat(bind(new Implementing()).methods()).containsOnlyKeys("test.v1.Greeter/Hello");
	}

	interface Api {

		@GrpcMethod("Hello")
		HelloResponse greet(HelloRequest request);

	}

	static class Implementing implements Api {

		@Override
		public HelloResponse greet(HelloRequest request) {
			return HelloResponse.getDefaultInstance();
		}

	}

	@Test
	void anotherPublicMethodWithAMessageStopsTheStart() {
		assertFails(new Misspelt(), "Misspelt.hallo(HelloRequest)", "HelloRequest", "serves no RPC", "hello, repeat");
		assertFails(new MisspeltList(), "MisspeltList.all(List)", "HelloResponse");
		assertFails(new MisspeltStatic(), "MisspeltStatic.create(String)", "HelloRequest");
	}

	static class Misspelt {

		public HelloResponse hallo(HelloRequest request) {
			return HelloResponse.getDefaultInstance();
		}

	}

	static class MisspeltList {

		public void all(List<? extends Supplier<HelloResponse[]>> responses) {
		}

	}

	static class MisspeltStatic {

		public static HelloRequest create(String name) {
			return HelloRequest.getDefaultInstance();
		}

	}

	@Test
	void anOverloadStopsTheStart() {
		assertFails(new Overloaded(), "hello(HelloRequest)", "hello(HelloRequest, Metadata)", "test.v1.Greeter/Hello");
		assertFails(new OverloadedByName(), "greet(String)", "greet(HelloRequest)", "overload");
	}

	static class Overloaded {

		public HelloResponse hello(HelloRequest request) {
			return HelloResponse.getDefaultInstance();
		}

		public HelloResponse hello(HelloRequest request, Metadata headers) {
			return HelloResponse.getDefaultInstance();
		}

	}

	static class OverloadedByName {

		@GrpcMethod("Hello")
		public HelloResponse greet(HelloRequest request) {
			return HelloResponse.getDefaultInstance();
		}

		public String greet(String name) {
			return name;
		}

	}

	@Test
	void anUnknownNameStopsTheStart() {
		assertFails(new Unknown(), "@GrpcMethod(\"Hallo\")", "Unknown.hello(HelloRequest)",
				"Hello, Repeat, Collect, Chat");
	}

	static class Unknown {

		@GrpcMethod("Hallo")
		public HelloResponse hello(HelloRequest request) {
			return HelloResponse.getDefaultInstance();
		}

	}

	@Test
	void anAnnotationOnAMethodThatIsNotPublicStopsTheStart() {
		assertFails(new NotPublic(), "NotPublic.hello(HelloRequest)", "not public");
	}

	static class NotPublic {

		@GrpcMethod("Hello")
		HelloResponse hello(HelloRequest request) {
			return HelloResponse.getDefaultInstance();
		}

	}

	@Test
	void aStaticMethodCannotServe() {
		assertFails(new Static(), "Static.hello(HelloRequest)", "static");
	}

	static class Static {

		public static HelloResponse hello(HelloRequest request) {
			return HelloResponse.getDefaultInstance();
		}

	}

	@Test
	void aMethodOfAnotherShapeStopsTheStartWithThoseAllowed() {
		assertFails(new NoRequest(), "NoRequest.hello()", "no parameter for the request",
				"HelloResponse hello(HelloRequest request)",
				"CompletionStage<HelloResponse> hello(HelloRequest request)",
				"Mono<HelloResponse> hello(HelloRequest request)", "io.grpc.Metadata", "GrpcCallContext");
		assertFails(new ListOfResponses(), "java.util.List",
				"Iterator|Stream|Flow.Publisher|Flux<HelloResponse> repeat",
				"void repeat(HelloRequest request, GrpcSink<HelloResponse> responses)");
		assertFails(new ManyRequestsForOne(), "for many requests");
		assertFails(new OneForMany(), "for a single request",
				"collect(Iterator|Stream|Flow.Publisher|Flux<HelloRequest> requests)");
		assertFails(new ManyForOne(), "for many responses");
		assertFails(new OtherMessages(), "Iterator<java.lang.String>");
		assertFails(new RawMessages(), "java.util.Iterator");
		assertFails(new Nothing(), "no GrpcSink parameter");
		assertFails(new Both(), "a GrpcSink parameter and returns something");
		assertFails(new OtherSink(), "takes other responses");
		assertFails(new Twice(), "can have once");
	}

	static class NoRequest {

		public HelloResponse hello() {
			return HelloResponse.getDefaultInstance();
		}

	}

	static class ListOfResponses {

		public List<HelloResponse> repeat(HelloRequest request) {
			return List.of();
		}

	}

	static class ManyRequestsForOne {

		public HelloResponse hello(Iterator<HelloRequest> requests) {
			return HelloResponse.getDefaultInstance();
		}

	}

	static class OneForMany {

		public HelloResponse collect(HelloRequest request) {
			return HelloResponse.getDefaultInstance();
		}

	}

	static class ManyForOne {

		public Iterator<HelloResponse> hello(HelloRequest request) {
			return List.<HelloResponse>of().iterator();
		}

	}

	static class OtherMessages {

		public HelloResponse collect(Iterator<String> requests) {
			return HelloResponse.getDefaultInstance();
		}

	}

	@SuppressWarnings("rawtypes")
	static class RawMessages {

		public HelloResponse collect(Iterator requests) {
			return HelloResponse.getDefaultInstance();
		}

	}

	static class Nothing {

		public void repeat(HelloRequest request) {
		}

	}

	static class Both {

		public Iterator<HelloResponse> repeat(HelloRequest request, GrpcSink<HelloResponse> responses) {
			return List.<HelloResponse>of().iterator();
		}

	}

	static class OtherSink {

		public void repeat(HelloRequest request, GrpcSink<HelloRequest> responses) {
		}

	}

	static class Twice {

		public HelloResponse hello(HelloRequest request, Metadata headers, Metadata again) {
			return HelloResponse.getDefaultInstance();
		}

	}

	@Test
	void aClassThatWasNotGeneratedStopsTheStart() {
		assertFails(new Named(), String.class, "java.lang.String", "getServiceDescriptor()",
				"@GrpcController(GreeterGrpc.class)");
	}

	@Test
	void messagesOfUnknownTypeStopTheStart() {
		assertFails(new Named(), OpaqueGrpc.class, "test.v1.Opaque/Hello", "ReflectableMarshaller",
				OpaqueMarshaller.class.getName());
	}

	static final class OpaqueGrpc {

		static ServiceDescriptor getServiceDescriptor() {
			return ServiceDescriptor.newBuilder("test.v1.Opaque")
				.addMethod(ShapesGrpc.method("test.v1.Opaque/Hello", MethodType.UNARY)
					.toBuilder()
					.setRequestMarshaller(new OpaqueMarshaller())
					.build())
				.build();
		}

	}

	static final class OpaqueMarshaller implements MethodDescriptor.Marshaller<HelloRequest> {

		@Override
		public InputStream stream(HelloRequest value) {
			return InputStream.nullInputStream();
		}

		@Override
		public HelloRequest parse(InputStream stream) {
			return HelloRequest.getDefaultInstance();
		}

	}

	@Test
	void aServiceOfTheGeneratedBaseClassIsNoController() {
		assertFails(new GreeterGrpc.GreeterImplBase() {
		}, "BindableService", "served twice");
	}

	@Test
	void methodsThatWaitForRequestsAreKnown() {
		Set<String> waiting = bind(new ShapesController(), ShapesGrpc.class).waitingMethods();
		assertThat(waiting).contains("test.v1.Shapes/ClientIteratorMono", "test.v1.Shapes/BidiStreamSink",
				"test.v1.Shapes/ClientFluxMessage", "test.v1.Shapes/BidiPublisherIterator");
		assertThat(waiting).doesNotContain("test.v1.Shapes/UnaryMessage", "test.v1.Shapes/ServerIterator",
				"test.v1.Shapes/ClientFluxMono", "test.v1.Shapes/BidiPublisherSink");
	}

	@Test
	void methodsAreThoseOfTheClassBehindAProxy() {
		ProxyFactory proxy = new ProxyFactory(new Named());
		proxy.setProxyTargetClass(true);
		assertThat(bind(proxy.getProxy()).methods()).containsOnlyKeys("test.v1.Greeter/Hello");
		assertThat(bind(proxy.getProxy()).beanType()).isEqualTo(Named.class);
	}

	@Test
	void aFinalMethodBehindAProxyStopsTheStart() {
		ProxyFactory proxy = new ProxyFactory(new Final());
		proxy.setProxyTargetClass(true);
		assertFails(proxy.getProxy(), "Final.hello(HelloRequest)", "final", "advice");
	}

	static class Final {

		public final HelloResponse hello(HelloRequest request) {
			return HelloResponse.getDefaultInstance();
		}

	}

	@Test
	void aProxyWithoutTheMethodStopsTheStart() {
		ProxyFactory proxy = new ProxyFactory(new Comparing());
		proxy.setInterfaces(Comparable.class);
		assertFails(proxy.getProxy(), "JDK proxy", "Comparing.hello(HelloRequest)", "proxy-target-class");
	}

	static class Comparing implements Comparable<String> {

		public HelloResponse hello(HelloRequest request) {
			return HelloResponse.getDefaultInstance();
		}

		@Override
		public int compareTo(String other) {
			return 0;
		}

	}

	@Test
	void aProxyOfAGenericInterfaceIsCalledThroughIt() {
		ProxyFactory proxy = new ProxyFactory(new Generic());
		proxy.setInterfaces(GenericApi.class);
		assertThat(bind(proxy.getProxy()).methods()).containsOnlyKeys("test.v1.Greeter/Hello");
	}

	interface GenericApi<Q, R> {

		R hello(Q request);

	}

	static class Generic implements GenericApi<HelloRequest, HelloResponse> {

		@Override
		public HelloResponse hello(HelloRequest request) {
			return HelloResponse.getDefaultInstance();
		}

	}

	private static ControllerBinding bind(Object bean) {
		return bind(bean, GreeterGrpc.class);
	}

	private static ControllerBinding bind(Object bean, Class<?> generated) {
		StaticListableBeanFactory beanFactory = new StaticListableBeanFactory();
		beanFactory.addBean("greeter", bean);
		beanFactory.addBean("tasks",
				new CallTaskExecutor(new CallExecutorFactory(ExecutorMode.PLATFORM, 1, 0, new MockEnvironment())));
		return ControllerBinding.of("greeter", generated, beanFactory);
	}

	private static void assertFails(Object bean, String... parts) {
		assertFails(bean, GreeterGrpc.class, parts);
	}

	private static void assertFails(Object bean, Class<?> generated, String... parts) {
		assertThatExceptionOfType(FailureAnalyzedException.class).isThrownBy(() -> bind(bean, generated))
			.satisfies((ex) -> assertThat(ex.analysis().getDescription() + " " + ex.analysis().getAction())
				.contains("Bean 'greeter'")
				.contains(parts));
	}

}
