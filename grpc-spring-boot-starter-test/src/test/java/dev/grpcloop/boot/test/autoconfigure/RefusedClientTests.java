package dev.grpcloop.boot.test.autoconfigure;

import java.util.List;

import dev.grpcloop.boot.test.sample.Requests;
import dev.grpcloop.boot.test.v1.GreeterGrpc;
import io.grpc.Channel;
import io.grpc.ManagedChannel;
import io.grpc.Server;
import org.junit.jupiter.api.Test;

import org.springframework.beans.factory.NoSuchBeanDefinitionException;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.ApplicationContext;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.mockito.BDDMockito.given;
import static org.mockito.Mockito.mock;

/**
 * What gets no client, and what it is told.
 */
class RefusedClientTests {

	private final ApplicationContextRunner runner = new ApplicationContextRunner()
		.withConfiguration(AutoConfigurations.of(LocalGrpcClientAutoConfiguration.class));

	@Test
	void anApplicationThatMissesAStubFailsAsWithoutTheTest() {
		this.runner.withBean(NeedsStub.class)
			.run((context) -> assertThat(context).hasFailed()
				.getFailure()
				.hasRootCauseInstanceOf(NoSuchBeanDefinitionException.class));
	}

	@Test
	void aTestThatAsksForABeanByNameGetsNoOther() {
		this.runner.run((context) -> assertThatException().isThrownBy(() -> inject(context, new NeedsQualified()))
			.havingRootCause()
			.isInstanceOf(NoSuchBeanDefinitionException.class)
			.withMessageContaining("elsewhere"));
	}

	@Test
	void whatIsNoClientIsNamedWithThoseThatAre() {
		this.runner.run((context) -> assertThatException().isThrownBy(() -> inject(context, new NeedsSomethingElse()))
			.havingRootCause()
			.isInstanceOf(IllegalStateException.class)
			.withMessageContaining("java.lang.String")
			.withMessageContaining("an io.grpc.Channel, an io.grpc.ManagedChannel or a generated stub"));
	}

	@Test
	void callsWithoutAServerSayWhatIsMissing() {
		this.runner.run((context) -> {
			NeedsStub test = new NeedsStub();
			inject(context, test);
			assertThatIllegalStateException().isThrownBy(() -> test.stub.hello(Requests.ADA))
				.withMessageContaining("No gRPC server was started")
				.withMessageContaining("@GrpcServiceTest");
		});
	}

	@Test
	void callsAfterTheContextSayThatItIsClosed() {
		NeedsStub test = new NeedsStub();
		this.runner.run((context) -> inject(context, test));
		assertThatIllegalStateException().isThrownBy(() -> test.stub.hello(Requests.ADA))
			.withMessageContaining("context of this test was closed");
	}

	@Test
	void aStubThatNothingGeneratedMakesIsRefused() {
		assertThatIllegalStateException()
			.isThrownBy(() -> ClientType.create(HandMadeStub.class, mock(ManagedChannel.class)))
			.withMessageContaining(HandMadeStub.class.getName());
	}

	@Test
	void aStubWithAConstructorForAChannelIsMade() {
		ManagedChannel channel = mock(ManagedChannel.class);
		assertThat(ClientType.create(StubWithConstructor.class, channel)).isInstanceOfSatisfying(
				StubWithConstructor.class, (stub) -> assertThat(stub.getChannel()).isSameAs(channel));
	}

	@Test
	void aServerWithoutAnAddressIsRefused() {
		Server server = mock(Server.class);
		given(server.getListenSockets()).willReturn(List.of());
		assertThatIllegalStateException().isThrownBy(() -> RunningServers.address(server))
			.withMessageContaining("does not tell an address");
	}

	private static void inject(ApplicationContext context, Object test) {
		context.getAutowireCapableBeanFactory().autowireBean(test);
	}

	static class NeedsStub {

		@Autowired
		GreeterGrpc.GreeterBlockingStub stub;

	}

	static class NeedsQualified {

		@Autowired
		@Qualifier("elsewhere")
		Channel channel;

	}

	static class NeedsSomethingElse {

		@LocalGrpcClient
		String text;

	}

}
