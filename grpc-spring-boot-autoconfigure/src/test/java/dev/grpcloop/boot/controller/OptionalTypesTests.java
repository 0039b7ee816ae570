package dev.grpcloop.boot.controller;

import java.io.File;
import java.io.IOException;
import java.lang.reflect.Method;
import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import javax.tools.ToolProvider;

import dev.grpcloop.boot.GrpcMethod;
import dev.grpcloop.boot.executor.CallExecutorFactory;
import dev.grpcloop.boot.executor.CallTaskExecutor;
import dev.grpcloop.boot.executor.ExecutorMode;
import dev.grpcloop.boot.test.v1.GreeterGrpc;
import dev.grpcloop.boot.test.v1.HelloRequest;
import dev.grpcloop.boot.test.v1.HelloResponse;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import org.springframework.beans.factory.support.StaticListableBeanFactory;
import org.springframework.boot.diagnostics.FailureAnalyzedException;
import org.springframework.mock.env.MockEnvironment;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Libraries that need not be there, and one whose types are not supported.
 */
class OptionalTypesTests {

	@Test
	void neitherReactorNorMicrometerNorSpringSecurityIsNeeded() throws Exception {
		List<URL> urls = new ArrayList<>();
		for (String entry : System.getProperty("java.class.path").split(File.pathSeparator)) {
			String name = Path.of(entry).getFileName().toString();
			if (Stream.of("reactor-", "reactive-streams", "context-propagation", "spring-security", "micrometer-core")
				.noneMatch(name::startsWith)) {
				urls.add(url(Path.of(entry)));
			}
		}
		try (URLClassLoader without = new URLClassLoader(urls.toArray(URL[]::new),
				ClassLoader.getPlatformClassLoader())) {
			Class<?> bound = without.loadClass(Bound.class.getName());
			Method bind = bound.getDeclaredMethod("bind");
			bind.setAccessible(true);
			assertThat(bind.invoke(null)).isEqualTo(List.of("test.v1.Greeter/Collect", "test.v1.Greeter/Hello"));
		}
	}

	@Test
	void suspendFunctionsAndFlowsOfKotlinStopTheStart(@TempDir Path directory) throws Exception {
		String imports = "import dev.grpcloop.boot.test.v1.*; public class ";
		compile(directory, Map.of("kotlin/coroutines/Continuation.java",
				"package kotlin.coroutines; public interface Continuation<T> {}", "kotlinx/coroutines/flow/Flow.java",
				"package kotlinx.coroutines.flow; public interface Flow<T> {}", "Suspending.java",
				imports + "Suspending { public Object hello(HelloRequest request, "
						+ "kotlin.coroutines.Continuation<? super HelloResponse> next) { return null; } }",
				"Flowing.java",
				imports + "Flowing { public kotlinx.coroutines.flow.Flow<HelloResponse> repeat(HelloRequest request) "
						+ "{ return null; } }",
				"Taking.java",
				imports + "Taking { public HelloResponse collect(kotlinx.coroutines.flow.Flow<HelloRequest> requests) "
						+ "{ return null; } }"));
		try (URLClassLoader kotlin = new URLClassLoader(new URL[] { url(directory) }, getClass().getClassLoader())) {
			assertFails(kotlin.loadClass("Suspending"), "suspend function");
			assertFails(kotlin.loadClass("Flowing"), "Flow of kotlinx.coroutines");
			assertFails(kotlin.loadClass("Taking"), "Flow of kotlinx.coroutines");
		}
	}

	private static void assertFails(Class<?> type, String part) throws ReflectiveOperationException {
		Object controller = type.getDeclaredConstructor().newInstance();
		assertThatExceptionOfType(FailureAnalyzedException.class).isThrownBy(() -> Bound.binding(controller))
			.withMessageContaining(type.getName())
			.withMessageContaining(part)
			.withMessageContaining("yet");
	}

	private static void compile(Path directory, Map<String, String> sources) throws IOException {
		List<String> arguments = new ArrayList<>(
				List.of("-proc:none", "-d", directory.toString(), "-cp", System.getProperty("java.class.path")));
		for (Map.Entry<String, String> source : sources.entrySet()) {
			Path path = directory.resolve(source.getKey());
			Files.createDirectories(path.getParent());
			Files.writeString(path, source.getValue());
			arguments.add(path.toString());
		}
		assertThat(ToolProvider.getSystemJavaCompiler().run(null, null, null, arguments.toArray(String[]::new)))
			.isZero();
	}

	private static URL url(Path path) throws MalformedURLException {
		return path.toUri().toURL();
	}

	/** Is loaded a second time, without the libraries. */
	static final class Bound {

		private Bound() {
		}

		static List<String> bind() {
			return binding(new Plain()).methods().keySet().stream().sorted().toList();
		}

		static ControllerBinding binding(Object controller) {
			StaticListableBeanFactory beanFactory = new StaticListableBeanFactory();
			beanFactory.addBean("greeter", controller);
			beanFactory.addBean("tasks",
					new CallTaskExecutor(new CallExecutorFactory(ExecutorMode.PLATFORM, 1, 0, new MockEnvironment())));
			return ControllerBinding.of("greeter", GreeterGrpc.class, beanFactory);
		}

	}

	static class Plain {

		@GrpcMethod("Hello")
		public HelloResponse greet(HelloRequest request) {
			return HelloResponse.getDefaultInstance();
		}

		public HelloResponse collect(Iterator<HelloRequest> requests) {
			return HelloResponse.getDefaultInstance();
		}

	}

}
