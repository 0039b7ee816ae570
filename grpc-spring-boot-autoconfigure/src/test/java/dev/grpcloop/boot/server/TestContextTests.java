package dev.grpcloop.boot.server;

import java.io.IOException;
import java.net.Socket;

import dev.grpcloop.boot.autoconfigure.GrpcLoopServerAutoConfiguration;
import dev.grpcloop.boot.testsupport.GreeterClient;
import dev.grpcloop.boot.testsupport.GreeterService;
import dev.grpcloop.boot.testsupport.ServerThreads;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import org.springframework.beans.factory.annotation.Value;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.context.SpringBootTest.WebEnvironment;
import org.springframework.context.ApplicationContext;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.test.annotation.DirtiesContext;
import org.springframework.test.annotation.DirtiesContext.HierarchyMode;
import org.springframework.test.context.TestContextManager;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * The server in the contexts that Spring's test framework keeps, pauses and throws away.
 * The test classes inside are driven by hand, in the order that matters.
 */
@Timeout(60)
class TestContextTests {

	@AfterEach
	void noThreadIsLeft() {
		ServerThreads.awaitNone();
	}

	@Test
	void aPortThatWasInjectedIsServedAgainAfterAnotherContextWasUsed() throws Exception {
		TestContextManager first = new TestContextManager(FirstTestClass.class);
		TestContextManager second = new TestContextManager(SecondTestClass.class);
		try {
			FirstTestClass before = new FirstTestClass();
			run(first, before);
			SecondTestClass other = new SecondTestClass();
			run(second, other);
			FirstTestClass after = new FirstTestClass();
			run(new TestContextManager(FirstTestClass.class), after);
			assertThat(after.port).isEqualTo(before.port).isNotEqualTo(other.port);
		}
		finally {
			first.getTestContext().markApplicationContextDirty(HierarchyMode.EXHAUSTIVE);
			second.getTestContext().markApplicationContextDirty(HierarchyMode.EXHAUSTIVE);
		}
	}

	@Test
	void aDirtyContextTakesItsServerWithIt() throws Exception {
		DirtyingTestClass before = new DirtyingTestClass();
		run(new TestContextManager(DirtyingTestClass.class), before);
		ServerThreads.awaitNone();
		assertThatExceptionOfType(IOException.class).isThrownBy(() -> new Socket("127.0.0.1", before.port).close());
		DirtyingTestClass after = new DirtyingTestClass();
		run(new TestContextManager(DirtyingTestClass.class), after);
		assertThat(after.context).isNotSameAs(before.context);
	}

	private static void run(TestContextManager manager, TestClass test) throws Exception {
		manager.beforeTestClass();
		manager.prepareTestInstance(test);
		try (GreeterClient client = new GreeterClient("127.0.0.1", test.port)) {
			assertThat(client.hello("Ada")).isEqualTo("Hello Ada");
		}
		manager.afterTestClass();
	}

	@SpringBootTest(webEnvironment = WebEnvironment.NONE, classes = Application.class,
			properties = { "grpc.server.port=0", "grpc.server.address=127.0.0.1", "grpc.server.workers=1" })
	abstract static class TestClass {

		@Value("${local.grpc.server.port}")
		int port;

		@org.springframework.beans.factory.annotation.Autowired
		ApplicationContext context;

	}

	static class FirstTestClass extends TestClass {

	}

	@SpringBootTest(webEnvironment = WebEnvironment.NONE, classes = Application.class,
			properties = { "grpc.server.port=0", "grpc.server.address=127.0.0.1", "grpc.server.workers=2" })
	static class SecondTestClass extends TestClass {

	}

	@DirtiesContext
	static class DirtyingTestClass extends TestClass {

	}

	@Configuration(proxyBeanMethods = false)
	@Import(GreeterService.class)
	@ImportAutoConfiguration(GrpcLoopServerAutoConfiguration.class)
	static class Application {

	}

}
