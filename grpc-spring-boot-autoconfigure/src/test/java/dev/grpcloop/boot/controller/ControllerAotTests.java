package dev.grpcloop.boot.controller;

import dev.grpcloop.boot.autoconfigure.GrpcLoopServerAutoConfiguration;
import dev.grpcloop.boot.test.v1.GreeterGrpc;
import dev.grpcloop.boot.test.v1.HelloRequest;
import org.junit.jupiter.api.Test;

import org.springframework.aot.generate.ClassNameGenerator;
import org.springframework.aot.generate.DefaultGenerationContext;
import org.springframework.aot.generate.GeneratedFiles.Kind;
import org.springframework.aot.generate.InMemoryGeneratedFiles;
import org.springframework.aot.hint.predicate.RuntimeHintsPredicates;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.context.aot.ApplicationContextAotGenerator;
import org.springframework.javapoet.ClassName;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Plain methods when the context is prepared ahead of time.
 */
class ControllerAotTests {

	@Test
	void reflectionIsHintedAndTheServiceIsAMatterOfGeneratedCode() throws Exception {
		InMemoryGeneratedFiles files = new InMemoryGeneratedFiles();
		DefaultGenerationContext generation = new DefaultGenerationContext(
				new ClassNameGenerator(ClassName.get("test", "Application")), files);
		AnnotationConfigApplicationContext context = new AnnotationConfigApplicationContext();
		context.register(ControllerBeanTests.OnType.class, GrpcLoopServerAutoConfiguration.class);
		new ApplicationContextAotGenerator().processAheadOfTime(context, generation);
		generation.writeGeneratedContent();
		assertThat(RuntimeHintsPredicates.reflection()
			.onMethodInvocation(GreeterGrpc.class.getMethod("getServiceDescriptor")))
			.accepts(generation.getRuntimeHints());
		assertThat(RuntimeHintsPredicates.reflection()
			.onMethodInvocation(ControllerBeanTests.Greetings.class.getMethod("hello", HelloRequest.class)))
			.accepts(generation.getRuntimeHints());
		String code = files.getGeneratedFileContent(Kind.SOURCE,
				"dev/grpcloop/boot/controller/ControllerServiceBean__BeanDefinitions.java");
		assertThat(code).contains("GreeterGrpc.class");
	}

}
