package dev.grpcloop.boot.test.autoconfigure;

import dev.grpcloop.boot.test.sample.Requests;
import dev.grpcloop.boot.test.sample.TestedApplication;
import dev.grpcloop.boot.test.v1.FarewellGrpc;
import dev.grpcloop.boot.test.v1.GreeterGrpc;
import org.junit.jupiter.api.Test;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.test.context.TestContextManager;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Test classes one after the other, as a test run has them.
 */
class CachedContextTests {

	@Test
	void testsOfOneContextMayInjectDifferentStubs() throws Exception {
		TestContextManager first = new TestContextManager(Greets.class);
		TestContextManager second = new TestContextManager(SaysBye.class);
		first.prepareTestInstance(new Greets());
		second.prepareTestInstance(new SaysBye());
		assertThat(first.getTestContext().getApplicationContext())
			.isSameAs(second.getTestContext().getApplicationContext());
	}

	@Test
	void aContextThatWaitsForItsNextTestKeepsItsPortAndItsClients() throws Exception {
		TestContextManager first = new TestContextManager(Greets.class);
		Greets greets = new Greets();
		first.prepareTestInstance(greets);
		assertThat(greets.greeter.hello(Requests.ADA).getMessage()).isEqualTo("Hello Ada");
		first.afterTestClass();

		TestContextManager other = new TestContextManager(InAContextOfItsOwn.class);
		InAContextOfItsOwn elsewhere = new InAContextOfItsOwn();
		other.prepareTestInstance(elsewhere);
		assertThat(elsewhere.port).isNotEqualTo(greets.port);
		assertThat(elsewhere.greeter.hello(Requests.ADA).getMessage()).isEqualTo("Hello Ada");
		other.afterTestClass();

		assertThat(greets.greeter.hello(Requests.ADA).getMessage()).isEqualTo("Hello Ada");
		Greets again = new Greets();
		new TestContextManager(Greets.class).prepareTestInstance(again);
		assertThat(again.port).isEqualTo(greets.port);
		assertThat(again.greeter.hello(Requests.ADA).getMessage()).isEqualTo("Hello Ada");
	}

	@SpringBootTest(classes = TestedApplication.class, properties = "test.context=shared")
	static class Greets {

		@Autowired
		GreeterGrpc.GreeterBlockingStub greeter;

		@LocalGrpcServerPort
		int port;

	}

	@SpringBootTest(classes = TestedApplication.class, properties = "test.context=shared")
	static class SaysBye {

		@Autowired
		FarewellGrpc.FarewellBlockingStub farewell;

	}

	@SpringBootTest(classes = TestedApplication.class, properties = "test.context=other")
	static class InAContextOfItsOwn extends Greets {

	}

}
