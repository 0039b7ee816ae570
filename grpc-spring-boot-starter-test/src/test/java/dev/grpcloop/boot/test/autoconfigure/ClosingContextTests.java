package dev.grpcloop.boot.test.autoconfigure;

import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;

import dev.grpcloop.boot.test.sample.Requests;
import dev.grpcloop.boot.test.sample.TestedApplication;
import dev.grpcloop.boot.test.v1.GreeterGrpc;
import dev.grpcloop.boot.test.v1.HelloResponse;
import io.grpc.ManagedChannel;
import org.junit.jupiter.api.Test;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.context.ApplicationListener;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.grpc.server.lifecycle.GrpcServerShutdownEvent;
import org.springframework.test.annotation.DirtiesContext.HierarchyMode;
import org.springframework.test.context.TestContextManager;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * What a context that is closed does with the clients that it has injected.
 */
class ClosingContextTests {

	@Test
	void clientsAreClosedBeforeTheServerThatWouldWaitForTheirCalls() throws Exception {
		TestContextManager manager = new TestContextManager(LeavesACallOpen.class);
		LeavesACallOpen test = new LeavesACallOpen();
		manager.prepareTestInstance(test);
		Iterator<HelloResponse> responses = test.greeter.repeat(Requests.ADA);
		assertThat(responses.next().getMessage()).isEqualTo("first");
		List<Boolean> closed = new ArrayList<>();
		((ConfigurableApplicationContext) manager.getTestContext().getApplicationContext()).addApplicationListener(
				(ApplicationListener<GrpcServerShutdownEvent>) (event) -> closed.add(test.channel.isShutdown()));
		manager.getTestContext().markApplicationContextDirty(HierarchyMode.EXHAUSTIVE);
		assertThat(closed).containsExactly(true);
	}

	@SpringBootTest(classes = TestedApplication.class, properties = "test.context=closing")
	static class LeavesACallOpen {

		@Autowired
		GreeterGrpc.GreeterBlockingStub greeter;

		@Autowired
		ManagedChannel channel;

	}

}
