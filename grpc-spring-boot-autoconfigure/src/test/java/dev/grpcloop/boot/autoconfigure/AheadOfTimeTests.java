package dev.grpcloop.boot.autoconfigure;

import java.io.IOException;
import java.util.List;
import java.util.stream.Stream;

import dev.grpcloop.boot.GrpcController;
import dev.grpcloop.boot.test.v1.GreeterGrpc;
import dev.grpcloop.boot.test.v1.HelloRequest;
import dev.grpcloop.boot.test.v1.HelloResponse;
import dev.grpcloop.boot.testsupport.BesideSpringBoot;
import dev.grpcloop.boot.testsupport.GreeterService;
import dev.grpcloop.boot.testsupport.MarkdownTable;
import dev.grpcloop.boot.testsupport.ServerThreads;
import io.grpc.ServerInterceptor;
import io.grpc.ServerServiceDefinition;
import io.grpc.Status;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import org.springframework.aot.generate.ClassNameGenerator;
import org.springframework.aot.generate.DefaultGenerationContext;
import org.springframework.aot.generate.GeneratedFiles.Kind;
import org.springframework.aot.generate.InMemoryGeneratedFiles;
import org.springframework.aot.hint.RuntimeHints;
import org.springframework.aot.hint.predicate.RuntimeHintsPredicates;
import org.springframework.beans.BeanUtils;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.boot.test.util.TestPropertyValues;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.aot.ApplicationContextAotGenerator;
import org.springframework.grpc.server.GlobalServerInterceptor;
import org.springframework.grpc.server.advice.GrpcAdvice;
import org.springframework.grpc.server.advice.GrpcExceptionHandler;
import org.springframework.grpc.server.service.GrpcService;
import org.springframework.javapoet.ClassName;
import org.springframework.test.util.ReflectionTestUtils;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * What Spring makes of an application at build time (case B54). That the code it writes
 * runs, the sample application shows.
 */
class AheadOfTimeTests {

	private final InMemoryGeneratedFiles files = new InMemoryGeneratedFiles();

	@AfterEach
	void noServerHasStarted() {
		assertThat(ServerThreads.names()).isEmpty();
	}

	@Test
	void theDocumentNamesEverySwitchThatIsDecidedThen() throws IOException {
		String document = MarkdownTable.read("docs/ahead-of-time.md");
		assertThat(BooleanPropertyCondition.class.getDeclaredClasses()).isNotEmpty().allSatisfy((condition) -> {
			Object key = ReflectionTestUtils.getField(BeanUtils.instantiateClass(condition), "key");
			assertThat(document).contains("`" + key + "`");
		});
	}

	@Test
	void everyBeanOfOursIsWrittenAsCode() throws IOException {
		process(Application.class);
		assertThat(sources()).contains("grpcLoopServerFactory", "grpcLoopServerLifecycle", "grpcLoopLibraryCheck",
				"grpcLoopCallExecutorFactory", "grpcLoopHealthStatusManager", "grpcLoopServerStatistics",
				"grpcLoopCallMetersFactory");
	}

	@Test
	@BesideSpringBoot
	void besideSpringBootsServerToo() throws IOException {
		process(Application.class);
		assertThat(sources()).contains("grpcLoopServerFactory", "grpcLoopServerLifecycle");
	}

	@Test
	void noClassIsMadeAtRunTime() {
		process(Application.class);
		assertThat(this.files.getGeneratedFiles(Kind.CLASS)).isEmpty();
	}

	@Test
	void propertiesAreBoundByHints() {
		RuntimeHints hints = process(Application.class);
		assertThat(RuntimeHintsPredicates.reflection().onMethodInvocation(GrpcServerProperties.class, "setPort"))
			.accepts(hints);
		assertThat(RuntimeHintsPredicates.reflection().onMethodInvocation(ExecutorProperties.class, "setMode"))
			.accepts(hints);
	}

	@Test
	void theMethodsOfServicesCanBeLookedAt() {
		RuntimeHints hints = process(Application.class);
		assertThat(Stream.of(OwnGreeter.class, GreeterService.class, OwnGreeter.class.getInterfaces()[0],
				GreeterService.class.getSuperclass()))
			.allSatisfy((type) -> assertThat(RuntimeHintsPredicates.reflection().onType(type)).accepts(hints));
	}

	@Test
	void theBindingOfAServiceCanBeCalledForItsProxy() {
		RuntimeHints hints = process(Application.class);
		assertThat(RuntimeHintsPredicates.reflection().onMethodInvocation(GreeterGrpc.class, "bindService"))
			.accepts(hints);
	}

	@Test
	void beansThatStandForServicesAreWrittenAsCode() throws IOException {
		process(SubstitutesApplication.class);
		assertThat(sources()).contains("\"grpcLoopControllerOf.controller\"", "\"grpcLoopServiceOf.definition\"");
	}

	@Test
	void plainMethodsCanBeCalled() {
		RuntimeHints hints = process(SubstitutesApplication.class);
		assertThat(RuntimeHintsPredicates.reflection().onMethodInvocation(Controller.class, "hello")).accepts(hints);
		assertThat(RuntimeHintsPredicates.reflection().onMethodInvocation(GreeterGrpc.class, "getServiceDescriptor"))
			.accepts(hints);
	}

	@Test
	void methodsOfAnAdviceCanBeCalled() {
		RuntimeHints hints = process(SubstitutesApplication.class);
		assertThat(RuntimeHintsPredicates.reflection().onMethodInvocation(Advice.class, "handle")).accepts(hints);
	}

	private RuntimeHints process(Class<?> configuration) {
		DefaultGenerationContext generation = new DefaultGenerationContext(
				new ClassNameGenerator(ClassName.get("test", "Application")), this.files);
		try (AnnotationConfigApplicationContext context = new AnnotationConfigApplicationContext()) {
			TestPropertyValues.of("grpc.server.workers=1").applyTo(context);
			context.register(configuration);
			new ApplicationContextAotGenerator().processAheadOfTime(context, generation);
			generation.writeGeneratedContent();
		}
		return generation.getRuntimeHints();
	}

	private String sources() throws IOException {
		StringBuilder sources = new StringBuilder();
		for (String path : List.copyOf(this.files.getGeneratedFiles(Kind.SOURCE).keySet())) {
			sources.append(this.files.getGeneratedFileContent(Kind.SOURCE, path));
		}
		return sources.toString();
	}

	@Configuration(proxyBeanMethods = false)
	@ImportAutoConfiguration(GrpcLoopServerAutoConfiguration.class)
	static class Application {

		@Bean
		@GrpcService
		OwnGreeter greeter() {
			return new OwnGreeter();
		}

		@Bean
		@GlobalServerInterceptor
		ServerInterceptor interceptor() {
			return new PassingInterceptor();
		}

		@Bean
		MeterRegistry meterRegistry() {
			return new SimpleMeterRegistry();
		}

	}

	@Configuration(proxyBeanMethods = false)
	@ImportAutoConfiguration(GrpcLoopServerAutoConfiguration.class)
	static class SubstitutesApplication {

		@Bean
		Controller controller() {
			return new Controller();
		}

		@Bean
		ServerServiceDefinition definition() {
			return ServerServiceDefinition.builder("test.Other").build();
		}

		@Bean
		Advice advice() {
			return new Advice();
		}

	}

	@GrpcController(GreeterGrpc.class)
	static class Controller {

		public HelloResponse hello(HelloRequest request) {
			return GreeterService.greeting(request.getName());
		}

	}

	@GrpcAdvice
	static class Advice {

		@GrpcExceptionHandler
		Status handle(IllegalStateException ex) {
			return Status.ABORTED;
		}

	}

	interface Marked {

	}

	static class OwnGreeter extends GreeterService implements Marked {

	}

	static class PassingInterceptor implements ServerInterceptor {

		@Override
		public <Q, R> io.grpc.ServerCall.Listener<Q> interceptCall(io.grpc.ServerCall<Q, R> call,
				io.grpc.Metadata headers, io.grpc.ServerCallHandler<Q, R> next) {
			return next.startCall(call, headers);
		}

	}

}
