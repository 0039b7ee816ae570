package dev.grpcloop.boot;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;

import dev.grpcloop.boot.test.v1.FarewellGrpc;
import dev.grpcloop.boot.test.v1.GreeterGrpc;
import dev.grpcloop.boot.test.v1.HelloRequest;
import dev.grpcloop.boot.test.v1.HelloResponse;
import dev.grpcloop.boot.testsupport.CallTrace;
import dev.grpcloop.boot.testsupport.GreeterClient;
import dev.grpcloop.boot.testsupport.GreeterService;
import dev.grpcloop.boot.testsupport.TestApplications;
import io.grpc.BindableService;
import io.grpc.ServerInterceptors;
import io.grpc.ServerServiceDefinition;
import io.grpc.stub.ServerCalls;
import io.grpc.stub.StreamObserver;
import io.grpc.util.TransmitStatusRuntimeExceptionInterceptor;
import org.aopalliance.intercept.MethodInterceptor;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.aop.Advisor;
import org.springframework.aop.framework.AopConfigException;
import org.springframework.aop.framework.autoproxy.DefaultAdvisorAutoProxyCreator;
import org.springframework.aop.support.DefaultPointcutAdvisor;
import org.springframework.aop.support.annotation.AnnotationMatchingPointcut;
import org.springframework.aop.support.AopUtils;
import org.springframework.beans.factory.config.CustomScopeConfigurer;
import org.springframework.boot.diagnostics.FailureAnalyzedException;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.context.annotation.Scope;
import org.springframework.context.annotation.ScopedProxyMode;
import org.springframework.context.ApplicationContext;
import org.springframework.core.env.Environment;
import org.springframework.core.task.SimpleAsyncTaskExecutor;
import org.springframework.scheduling.annotation.Async;
import org.springframework.scheduling.annotation.EnableAsync;
import org.springframework.stereotype.Component;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.annotation.EnableTransactionManagement;
import org.springframework.transaction.annotation.Transactional;
import org.springframework.transaction.support.AbstractPlatformTransactionManager;
import org.springframework.transaction.support.DefaultTransactionStatus;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mockito.ArgumentMatchers.any;
import static org.mockito.BDDMockito.willAnswer;
import static org.mockito.Mockito.mock;

/**
 * Services behind proxies of Spring's: advice runs around each call, once. The services
 * are public, because the applications of these tests have a class loader of their own.
 */
class ServiceProxyTests {

	private final ApplicationContextRunner runner = TestApplications.runner()
		.withUserConfiguration(CountingAdvice.class);

	@ParameterizedTest
	@CsvSource({ "BASE_CLASS, true", "BASE_CLASS, false", "INTERFACE, true", "INTERFACE, false" })
	void adviceRunsOnceAroundEachCall(Form form, boolean classBased) {
		this.runner.withUserConfiguration(form.configuration)
			.withPropertyValues("class-based=" + classBased)
			.run((context) -> {
				Object bean = context.getBean(BindableService.class);
				assertThat(AopUtils.isCglibProxy(bean)).isEqualTo(classBased);
				assertThat(AopUtils.isJdkDynamicProxy(bean)).isEqualTo(!classBased);
				CallTrace trace = context.getBean(CallTrace.class);
				trace.take();
				try (GreeterClient client = GreeterClient.of(context)) {
					assertThat(client.hello("Ada")).isEqualTo("Hello Ada of the bean");
					assertThat(trace.take()).isEqualTo("hello");
					assertThat(client.repeat("Ada")).containsExactly("Hello Ada");
					assertThat(trace.take()).isEqualTo("repeat");
					assertThat(client.collect("Ada", "Bob")).containsExactly("Hello all");
					assertThat(trace.take()).isEqualTo("collect");
					assertThat(client.chat("Ada", "Bob")).containsExactly("Hello Ada", "Hello Bob");
					assertThat(trace.take()).isEqualTo("chat");
				}
			});
	}

	@ParameterizedTest
	@ValueSource(classes = { BaseClassGreeter.class, InterfaceGreeter.class })
	void bindingAServiceIsNoCall(Class<?> service) {
		this.runner.withBean(service)
			.withPropertyValues("class-based=true")
			.run((context) -> assertThat(context.getBean(CallTrace.class).take()).isEmpty());
	}

	@Test
	void anInterfaceBasedProxyThatCallsWouldGoPastStopsTheStart() {
		this.runner.withBean("handmade", HandmadeFarewell.class)
			.withPropertyValues("class-based=false")
			.run((context) -> assertThat(context).getFailure()
				.rootCause()
				.isInstanceOf(FailureAnalyzedException.class)
				.hasMessageContaining("test.v1.Farewell")
				.hasMessageContaining("'handmade' (" + HandmadeFarewell.class.getName() + ")")
				.hasMessageContaining("interface-based (JDK) proxy")
				.hasMessageContaining("bye()")
				.extracting((ex) -> ((FailureAnalyzedException) ex).analysis().getAction())
				.asString()
				.contains("spring.aop.proxy-target-class=true"));
	}

	@Test
	void aBindServiceThatBindsSomethingElseThanTheProxyStopsTheStart() {
		this.runner.withBean("selfmade", InterceptedFarewell.class)
			.withPropertyValues("class-based=true")
			.run((context) -> assertThat(context).getFailure()
				.rootCause()
				.isInstanceOf(FailureAnalyzedException.class)
				.hasMessageContaining("'selfmade' (" + InterceptedFarewell.class.getName() + ")")
				.hasMessageContaining("class-based proxy")
				.extracting((ex) -> ((FailureAnalyzedException) ex).analysis().getAction())
				.asString()
				.contains("ImplBase")
				.contains("@GrpcService"));
	}

	@Test
	void adviceThatConcernsNoCallDoesNotMatter() {
		this.runner.withBean(HelperAdvisedFarewell.class).withPropertyValues("class-based=true").run((context) -> {
			assertThat(AopUtils.isCglibProxy(context.getBean(BindableService.class))).isTrue();
			try (GreeterClient client = GreeterClient.of(context)) {
				assertThat(bye(client)).isEqualTo("Hello Ada");
			}
		});
	}

	@ParameterizedTest
	@ValueSource(classes = { FinalBaseClassFarewell.class, FinalInterfaceFarewell.class })
	void aFinalMethodBehindAClassBasedProxyStopsTheStart(Class<?> service) {
		this.runner.withBean("sealed", service)
			.withPropertyValues("class-based=true")
			.run((context) -> assertThat(context).getFailure()
				.rootCause()
				.isInstanceOf(FailureAnalyzedException.class)
				.hasMessageContaining("'sealed' (" + service.getName() + ")")
				.hasMessageContaining("bye() is final")
				.extracting((ex) -> ((FailureAnalyzedException) ex).analysis().getAction())
				.asString()
				.contains("Remove final from " + service.getName() + ".bye()"));
	}

	@Test
	void aFinalMethodBehindAnInterfaceBasedProxyIsAdvised() {
		this.runner.withBean(FinalBaseClassFarewell.class).withPropertyValues("class-based=false").run((context) -> {
			try (GreeterClient client = GreeterClient.of(context)) {
				assertThat(bye(client)).isEqualTo("Hello Ada");
				assertThat(context.getBean(CallTrace.class).take()).isEqualTo("bye");
			}
		});
	}

	@Test
	void aFinalClassThatNeedsAClassBasedProxyStopsTheStart() {
		this.runner.withBean("locked", FinalClassFarewell.class)
			.withPropertyValues("class-based=true")
			.run((context) -> assertThat(context).getFailure()
				.hasMessageContaining("'locked'")
				.hasCauseInstanceOf(AopConfigException.class));
	}

	@Test
	void aFinalBindServiceThatNeedsTheFieldsOfTheBeanStopsTheStart() {
		this.runner.withBean("needy", FinalBindServiceFarewell.class)
			.withPropertyValues("class-based=true")
			.run((context) -> assertThat(context).getFailure()
				.hasRootCauseInstanceOf(NullPointerException.class)
				.cause()
				.isInstanceOf(FailureAnalyzedException.class)
				.hasMessageContaining("'needy' (" + FinalBindServiceFarewell.class.getName() + ")")
				.hasMessageContaining("it is final"));
	}

	@ParameterizedTest
	@ValueSource(classes = { TransactionalBaseClass.class, TransactionalInterface.class })
	void eachCallIsATransaction(Class<?> service) {
		TestApplications.runner()
			.withUserConfiguration(Transactions.class)
			.withBean("service", service)
			.run((context) -> {
				try (GreeterClient client = GreeterClient.of(context)) {
					bye(client);
					bye(client);
				}
				assertThat(context.getBean(CountingTransactions.class).begun).hasValue(2);
			});
	}

	@ParameterizedTest
	@ValueSource(classes = { AsyncBaseClass.class, AsyncInterface.class })
	void anAsynchronousMethodRunsOnItsExecutor(Class<?> service) {
		TestApplications.runner()
			.withUserConfiguration(Asynchronous.class)
			.withBean("service", service)
			.run((context) -> {
				try (GreeterClient client = GreeterClient.of(context)) {
					assertThat(bye(client)).startsWith("Hello own-");
				}
			});
	}

	@ParameterizedTest
	@ValueSource(classes = { ScopedBaseClass.class, ScopedInterface.class })
	void aScopedProxyFindsItsTargetForEachCall(Class<?> service) {
		TestApplications.runner().withUserConfiguration(service).run((context) -> {
			try (GreeterClient client = GreeterClient.of(context)) {
				String first = bye(client);
				assertThat(bye(client)).isNotEqualTo(first);
			}
		});
	}

	@Test
	void aScopeThatIsNotThereAtTheStartIsNotAskedForThen() {
		TestApplications.runner().withUserConfiguration(RequestScoped.class).run((context) -> {
			assertThat(context).hasNotFailed();
			assertThat(context.getBean(BindableService.class)).isInstanceOf(FarewellGrpc.AsyncService.class);
		});
	}

	@Test
	void aMockIsServed() {
		FarewellGrpc.FarewellImplBase mock = mock();
		willAnswer((call) -> answer(call.getArgument(1), "Hello mock")).given(mock).bye(any(), any());
		TestApplications.runner().withBean("mock", FarewellGrpc.FarewellImplBase.class, () -> mock).run((context) -> {
			try (GreeterClient client = GreeterClient.of(context)) {
				assertThat(bye(client)).isEqualTo("Hello mock");
			}
		});
	}

	@Test
	void aServiceThatBindsNothingStopsTheStart() {
		TestApplications.runner()
			.withBean("nothing", BindableService.class, () -> () -> null)
			.run((context) -> assertThat(context).getFailure()
				.rootCause()
				.isInstanceOf(FailureAnalyzedException.class)
				.hasMessageContaining("'nothing'")
				.hasMessageContaining("returns null"));
	}

	private static String bye(GreeterClient client) {
		return FarewellGrpc.newBlockingStub(client.channel()).bye(GreeterService.request("Ada")).getMessage();
	}

	private static Object answer(StreamObserver<HelloResponse> responses, String message) {
		responses.onNext(HelloResponse.newBuilder().setMessage(message).build());
		responses.onCompleted();
		return message;
	}

	private static StreamObserver<HelloRequest> observer(Consumer<HelloRequest> message, Runnable end) {
		return new StreamObserver<>() {

			@Override
			public void onNext(HelloRequest request) {
				message.accept(request);
			}

			@Override
			public void onError(Throwable ex) {
				// the call was cancelled: nobody is left to answer
			}

			@Override
			public void onCompleted() {
				end.run();
			}

		};
	}

	enum Form {

		BASE_CLASS(BaseClassGreeter.class), INTERFACE(InterfaceGreeter.class);

		private final Class<?> configuration;

		Form(Class<?> configuration) {
			this.configuration = configuration;
		}

	}

	@Target({ ElementType.TYPE, ElementType.METHOD })
	@Retention(RetentionPolicy.RUNTIME)
	@interface Counted {

	}

	@Configuration(proxyBeanMethods = false)
	static class CountingAdvice {

		@Bean
		CallTrace trace() {
			return new CallTrace();
		}

		@Bean
		static DefaultAdvisorAutoProxyCreator autoProxyCreator(Environment environment) {
			DefaultAdvisorAutoProxyCreator creator = new DefaultAdvisorAutoProxyCreator();
			creator.setProxyTargetClass(environment.getRequiredProperty("class-based", Boolean.class));
			return creator;
		}

		@Bean
		static Advisor ofClasses(ApplicationContext context) {
			return advisor(AnnotationMatchingPointcut.forClassAnnotation(Counted.class), context);
		}

		@Bean
		static Advisor ofMethods(ApplicationContext context) {
			return advisor(AnnotationMatchingPointcut.forMethodAnnotation(Counted.class), context);
		}

		private static Advisor advisor(AnnotationMatchingPointcut pointcut, ApplicationContext context) {
			return new DefaultPointcutAdvisor(pointcut, (MethodInterceptor) (invocation) -> {
				context.getBean(CallTrace.class).add(invocation.getMethod().getName());
				return invocation.proceed();
			});
		}

	}

	@Counted
	@Component
	public static class BaseClassGreeter extends GreeterGrpc.GreeterImplBase {

		private final StringBuilder suffix = new StringBuilder(" of the bean");

		@Override
		public void hello(HelloRequest request, StreamObserver<HelloResponse> responses) {
			answer(responses, "Hello " + request.getName() + this.suffix);
		}

		@Override
		public void repeat(HelloRequest request, StreamObserver<HelloResponse> responses) {
			answer(responses, "Hello " + request.getName());
		}

		@Override
		public StreamObserver<HelloRequest> collect(StreamObserver<HelloResponse> responses) {
			return observer((request) -> {
			}, () -> answer(responses, "Hello all"));
		}

		@Override
		public StreamObserver<HelloRequest> chat(StreamObserver<HelloResponse> responses) {
			return observer((request) -> responses.onNext(GreeterService.greeting(request.getName())),
					responses::onCompleted);
		}

	}

	@Counted
	@Component
	public static class InterfaceGreeter implements GreeterGrpc.AsyncService, BindableService {

		private final StringBuilder suffix = new StringBuilder(" of the bean");

		@Override
		public ServerServiceDefinition bindService() {
			return GreeterGrpc.bindService(this);
		}

		@Override
		public void hello(HelloRequest request, StreamObserver<HelloResponse> responses) {
			answer(responses, "Hello " + request.getName() + this.suffix);
		}

		@Override
		public void repeat(HelloRequest request, StreamObserver<HelloResponse> responses) {
			answer(responses, "Hello " + request.getName());
		}

		@Override
		public StreamObserver<HelloRequest> collect(StreamObserver<HelloResponse> responses) {
			return observer((request) -> {
			}, () -> answer(responses, "Hello all"));
		}

		@Override
		public StreamObserver<HelloRequest> chat(StreamObserver<HelloResponse> responses) {
			return observer((request) -> responses.onNext(GreeterService.greeting(request.getName())),
					responses::onCompleted);
		}

	}

	@Counted
	public static class HandmadeFarewell implements BindableService {

		@Override
		public ServerServiceDefinition bindService() {
			return ServerServiceDefinition.builder(FarewellGrpc.getServiceDescriptor())
				.addMethod(FarewellGrpc.getByeMethod(), ServerCalls.asyncUnaryCall(this::bye))
				.build();
		}

		public void bye(HelloRequest request, StreamObserver<HelloResponse> responses) {
			answer(responses, "Hello " + request.getName());
		}

	}

	public static class InterfaceFarewell implements FarewellGrpc.AsyncService, BindableService {

		@Override
		public ServerServiceDefinition bindService() {
			return FarewellGrpc.bindService(this);
		}

		@Override
		public void bye(HelloRequest request, StreamObserver<HelloResponse> responses) {
			answer(responses, "Hello " + request.getName());
		}

	}

	@Counted
	public static class InterceptedFarewell extends InterfaceFarewell {

		@Override
		public ServerServiceDefinition bindService() {
			return ServerInterceptors.intercept(super.bindService(),
					TransmitStatusRuntimeExceptionInterceptor.instance());
		}

	}

	public static class HelperAdvisedFarewell extends InterfaceFarewell {

		@Override
		public ServerServiceDefinition bindService() {
			return ServerServiceDefinition.builder(FarewellGrpc.getServiceDescriptor())
				.addMethod(FarewellGrpc.getByeMethod(), ServerCalls.asyncUnaryCall(this::bye))
				.build();
		}

		@Counted
		public void helper() {
		}

	}

	@Counted
	public static class FinalBaseClassFarewell extends FarewellGrpc.FarewellImplBase {

		@Override
		public final void bye(HelloRequest request, StreamObserver<HelloResponse> responses) {
			answer(responses, "Hello " + request.getName());
		}

	}

	@Counted
	public static class FinalInterfaceFarewell extends InterfaceFarewell {

		@Override
		public final void bye(HelloRequest request, StreamObserver<HelloResponse> responses) {
			answer(responses, "Hello " + request.getName());
		}

	}

	@Counted
	static final class FinalClassFarewell extends FarewellGrpc.FarewellImplBase {

	}

	@Counted
	public static class FinalBindServiceFarewell extends InterfaceFarewell {

		private final StringBuilder field = new StringBuilder();

		@Override
		public final ServerServiceDefinition bindService() {
			this.field.append("bound");
			return super.bindService();
		}

	}

	static class CountingTransactions extends AbstractPlatformTransactionManager {

		private final AtomicInteger begun = new AtomicInteger();

		@Override
		protected Object doGetTransaction() {
			return this;
		}

		@Override
		protected void doBegin(Object transaction, TransactionDefinition definition) {
			this.begun.incrementAndGet();
		}

		@Override
		protected void doCommit(DefaultTransactionStatus status) {
		}

		@Override
		protected void doRollback(DefaultTransactionStatus status) {
		}

	}

	@Configuration(proxyBeanMethods = false)
	@EnableTransactionManagement
	static class Transactions {

		@Bean
		PlatformTransactionManager transactions() {
			return new CountingTransactions();
		}

	}

	public static class TransactionalBaseClass extends FarewellGrpc.FarewellImplBase {

		@Override
		@Transactional
		public void bye(HelloRequest request, StreamObserver<HelloResponse> responses) {
			answer(responses, "Hello " + request.getName());
		}

	}

	@Transactional
	public static class TransactionalInterface implements FarewellGrpc.AsyncService, BindableService {

		@Override
		public ServerServiceDefinition bindService() {
			return FarewellGrpc.bindService(this);
		}

		@Override
		public void bye(HelloRequest request, StreamObserver<HelloResponse> responses) {
			answer(responses, "Hello " + request.getName());
		}

	}

	@Configuration(proxyBeanMethods = false)
	@EnableAsync
	static class Asynchronous {

		@Bean
		Executor taskExecutor() {
			return new SimpleAsyncTaskExecutor("own-");
		}

	}

	public static class AsyncBaseClass extends FarewellGrpc.FarewellImplBase {

		@Async
		@Override
		public void bye(HelloRequest request, StreamObserver<HelloResponse> responses) {
			answer(responses, "Hello " + Thread.currentThread().getName());
		}

	}

	public static class AsyncInterface extends InterfaceFarewell {

		@Async
		@Override
		public void bye(HelloRequest request, StreamObserver<HelloResponse> responses) {
			answer(responses, "Hello " + Thread.currentThread().getName());
		}

	}

	@Component
	@Scope(scopeName = "prototype", proxyMode = ScopedProxyMode.TARGET_CLASS)
	public static class ScopedBaseClass extends FarewellGrpc.FarewellImplBase {

		@Override
		public void bye(HelloRequest request, StreamObserver<HelloResponse> responses) {
			answer(responses, "Hello " + System.identityHashCode(this));
		}

	}

	@Component
	@Scope(scopeName = "prototype", proxyMode = ScopedProxyMode.INTERFACES)
	public static class ScopedInterface extends InterfaceFarewell {

		@Override
		public void bye(HelloRequest request, StreamObserver<HelloResponse> responses) {
			answer(responses, "Hello " + System.identityHashCode(this));
		}

	}

	@Component
	@Import(NoScopeNow.class)
	@Scope(scopeName = "now", proxyMode = ScopedProxyMode.TARGET_CLASS)
	public static class RequestScoped extends InterfaceFarewell {

	}

	/** A scope without anything in it, as the request scope is outside requests. */
	@Configuration(proxyBeanMethods = false)
	static class NoScopeNow {

		@Bean
		static CustomScopeConfigurer scopes() {
			CustomScopeConfigurer scopes = new CustomScopeConfigurer();
			scopes.addScope("now", mock(org.springframework.beans.factory.config.Scope.class, (call) -> {
				throw new IllegalStateException("There is no request");
			}));
			return scopes;
		}

	}

}
