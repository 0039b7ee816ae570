package dev.grpcloop.boot.service;

import dev.grpcloop.boot.test.v1.GreeterGrpc;
import dev.grpcloop.boot.testsupport.GreeterService;
import org.junit.jupiter.api.Test;

import org.springframework.aot.generate.ClassNameGenerator;
import org.springframework.aot.generate.DefaultGenerationContext;
import org.springframework.aot.generate.InMemoryGeneratedFiles;
import org.springframework.aot.hint.predicate.RuntimeHintsPredicates;
import org.springframework.context.aot.ApplicationContextAotGenerator;
import org.springframework.context.support.GenericApplicationContext;
import org.springframework.javapoet.ClassName;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link ServiceBeanAotProcessor}.
 */
class ServiceBeanAotProcessorTests {

	@Test
	void theGeneratedBindingCanBeCalledInANativeImage() throws NoSuchMethodException {
		GenericApplicationContext context = new GenericApplicationContext();
		context.registerBean(GreeterService.class);
		DefaultGenerationContext generation = new DefaultGenerationContext(
				new ClassNameGenerator(ClassName.get("com.example", "Application")), new InMemoryGeneratedFiles());
		new ApplicationContextAotGenerator().processAheadOfTime(context, generation);
		assertThat(RuntimeHintsPredicates.reflection()
			.onMethodInvocation(GreeterGrpc.class.getMethod("bindService", GreeterGrpc.AsyncService.class)))
			.accepts(generation.getRuntimeHints());
	}

}
