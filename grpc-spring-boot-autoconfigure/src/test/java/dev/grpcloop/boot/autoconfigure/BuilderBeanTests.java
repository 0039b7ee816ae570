package dev.grpcloop.boot.autoconfigure;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;

import dev.grpcloop.boot.Blocking;
import dev.grpcloop.boot.GrpcEventLoopProvider;
import dev.grpcloop.boot.GrpcServerExecutorProvider;
import dev.grpcloop.boot.NonBlocking;
import dev.grpcloop.boot.server.EventLoopGrpcServerLifecycle;
import dev.grpcloop.boot.test.v1.GreeterGrpc;
import dev.grpcloop.boot.test.v1.HelloRequest;
import dev.grpcloop.boot.test.v1.HelloResponse;
import dev.grpcloop.boot.testsupport.GreeterClient;
import dev.grpcloop.boot.testsupport.GreeterService;
import dev.grpcloop.boot.testsupport.ServerThreads;
import dev.grpcloop.boot.testsupport.StartedServer;
import dev.grpcloop.boot.testsupport.TestApplications;
import dev.grpcloop.engine.Backend;
import io.grpc.Attributes;
import io.grpc.Codec;
import io.grpc.CompressorRegistry;
import io.grpc.DecompressorRegistry;
import io.grpc.HandlerRegistry;
import io.grpc.Metadata;
import io.grpc.ServerStreamTracer;
import io.grpc.ServerTransportFilter;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.stub.StreamObserver;
import io.grpc.util.MutableHandlerRegistry;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.local.LocalIoHandler;
import io.netty.channel.nio.NioIoHandler;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.ApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.core.annotation.Order;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Beans that change the server, and those of the same kind that must not.
 */
@Timeout(60)
class BuilderBeanTests {

	/** Without the number of event loops that other tests set. */
	private final ApplicationContextRunner plain = new ApplicationContextRunner()
		.withConfiguration(AutoConfigurations.of(GrpcLoopServerAutoConfiguration.class))
		.withUserConfiguration(Greeter.class)
		.withPropertyValues("grpc.server.port=0", "grpc.server.address=127.0.0.1");

	private final ApplicationContextRunner runner = TestApplications.runner().withBean(ThreadTeller.class);

	@AfterEach
	void noThreadIsLeft() {
		ServerThreads.awaitNone();
	}

	@Test
	void eventLoopsAreTheProvidersAndStayItsOwn() throws Exception {
		try (EventLoops loops = new EventLoops(2)) {
			this.plain.withBean(GrpcEventLoopProvider.class, () -> () -> loops.group).run((context) -> {
				assertThat(StartedServer.of(context).getWorkers()).isEqualTo(2);
				assertThat(StartedServer.of(context).getBackend()).isEqualTo(Backend.NIO);
				hello(context, "Ada");
				context.getBean(EventLoopGrpcServerLifecycle.class).stop();
				context.getBean(EventLoopGrpcServerLifecycle.class).start();
				hello(context, "Bob");
			});
			assertThat(loops.group.isShuttingDown()).isFalse();
		}
	}

	@Test
	void anEventLoopGroupThatIsNobodysProviderIsLeftAlone() throws Exception {
		try (EventLoops loops = new EventLoops(3)) {
			this.plain.withBean(EventLoopGroup.class, () -> loops.group)
				.withBean("applicationTaskExecutor", Executor.class, () -> (task) -> {
					throw new IllegalStateException("not yours");
				})
				.withPropertyValues("grpc.server.workers=1")
				.run((context) -> {
					assertThat(StartedServer.of(context).getWorkers()).isEqualTo(1);
					hello(context, "Ada");
				});
		}
	}

	@ParameterizedTest
	@ValueSource(strings = { "grpc.server.workers=2", "grpc.server.backend=auto" })
	void eventLoopsAndTheirPropertiesDoNotGoTogether(String property) throws Exception {
		try (EventLoops loops = new EventLoops(1)) {
			this.plain.withBean(GrpcEventLoopProvider.class, () -> () -> loops.group)
				.withPropertyValues(property)
				.run((context) -> assertThat(context).getFailure()
					.rootCause()
					.hasMessageContaining(property.replace("=", " is '"))
					.hasMessageContaining("GrpcEventLoopProvider"));
		}
	}

	@Test
	void eventLoopsOfAnUnknownKindAreRefused() {
		MultiThreadIoEventLoopGroup group = new MultiThreadIoEventLoopGroup(1, LocalIoHandler.newFactory());
		try {
			this.plain.withBean(GrpcEventLoopProvider.class, () -> () -> group)
				.run((context) -> assertThat(context).getFailure()
					.cause()
					.hasMessageContaining("NioIoHandler")
					.extracting("action")
					.asString()
					.contains("GrpcEventLoopProvider"));
		}
		finally {
			group.shutdownGracefully();
		}
	}

	@Test
	void serviceCodeRunsOnTheProvidersExecutorAndItStaysItsOwn() throws Exception {
		ExecutorService executor = Executors.newSingleThreadExecutor((task) -> new Thread(task, "mine"));
		try {
			this.runner.withBean(GrpcServerExecutorProvider.class, () -> () -> executor).run((context) -> {
				try (GreeterClient client = GreeterClient.of(context)) {
					assertThat(client.hello("Ada")).isEqualTo("mine");
					assertThat(client.repeat("Ada")).singleElement().asString().startsWith("grpc-loop");
				}
			});
			assertThat(executor.isShutdown()).isFalse();
		}
		finally {
			executor.shutdownNow();
		}
	}

	@ParameterizedTest
	@ValueSource(strings = { "grpc.server.executor.mode=auto", "grpc.server.executor.max-threads=7",
			"grpc.server.executor.queue-capacity=7" })
	void anExecutorAndItsPropertiesDoNotGoTogether(String property) {
		this.runner.withBean(GrpcServerExecutorProvider.class, () -> () -> Runnable::run)
			.withPropertyValues(property)
			.run((context) -> assertThat(context).getFailure()
				.rootCause()
				.hasMessageContaining(property.replace("=", " is '"))
				.hasMessageContaining("GrpcServerExecutorProvider"));
	}

	@Test
	void filtersAndTracersOfConnectionsAndCallsAreAskedInOrder() {
		this.plain.withUserConfiguration(Watchers.class).run((context) -> {
			hello(context, "Ada");
			assertThat(context.getBean(Watchers.class).seen).containsExactly("filter 1", "filter 2",
					"tracer 1 test.v1.Greeter/Hello", "tracer 2 test.v1.Greeter/Hello");
		});
	}

	@Test
	void codecsOfTheApplicationReplaceTheDefaultOnes() {
		this.plain.withBean(Shout.class).run((context) -> {
			assertThat(context.getBean(CompressorRegistry.class).lookupCompressor("shout")).isNotNull();
			assertThat(context.getBean(CompressorRegistry.class).lookupCompressor("gzip")).isNull();
			assertThat(context.getBean(DecompressorRegistry.class).getKnownMessageEncodings()).containsExactly("shout");
			assertThatExceptionOfType(StatusRuntimeException.class).isThrownBy(() -> helloCompressed(context, "gzip"))
				.satisfies((ex) -> assertThat(ex.getStatus().getCode()).isEqualTo(Status.Code.UNIMPLEMENTED));
		});
	}

	@Test
	void withoutCodecsOfTheApplicationTheDefaultOnesServe() {
		this.plain.run((context) -> assertThat(helloCompressed(context, "gzip")).isEqualTo("Hello Ada"));
	}

	@Test
	void registriesOfTheApplicationReplaceOurs() {
		this.plain.withBean(DecompressorRegistry.class, DecompressorRegistry::emptyInstance)
			.withBean(CompressorRegistry.class, CompressorRegistry::newEmptyInstance)
			.run((context) -> {
				assertThat(context).doesNotHaveBean("grpcLoopCompressorRegistry");
				assertThatExceptionOfType(StatusRuntimeException.class)
					.isThrownBy(() -> helloCompressed(context, "gzip"));
			});
	}

	@Test
	void aHandlerRegistryServesWhatNoServiceHas() {
		MutableHandlerRegistry registry = new MutableHandlerRegistry();
		registry.addService(new GreeterService());
		TestApplications.runner()
			.withBean(HandlerRegistry.class, () -> registry)
			.run((context) -> hello(context, "Ada"));
	}

	private static void hello(ApplicationContext context, String name) throws Exception {
		try (GreeterClient client = GreeterClient.of(context)) {
			assertThat(client.hello(name)).isEqualTo("Hello " + name);
		}
	}

	private static String helloCompressed(ApplicationContext context, String codec) throws Exception {
		try (GreeterClient client = GreeterClient.of(context)) {
			return GreeterGrpc.newBlockingStub(client.channel())
				.withCompression(codec)
				.hello(GreeterService.request("Ada"))
				.getMessage();
		}
	}

	@Configuration(proxyBeanMethods = false)
	@Import({ GreeterService.class, StartedServer.class })
	static class Greeter {

	}

	private static final class EventLoops implements AutoCloseable {

		private final MultiThreadIoEventLoopGroup group;

		EventLoops(int loops) {
			this.group = new MultiThreadIoEventLoopGroup(loops, NioIoHandler.newFactory());
		}

		@Override
		public void close() throws InterruptedException {
			this.group.shutdownGracefully(0, 5, TimeUnit.SECONDS).await();
		}

	}

	/** Answers with the name of the thread. */
	@Blocking
	static class ThreadTeller extends GreeterGrpc.GreeterImplBase {

		@Override
		public void hello(HelloRequest request, StreamObserver<HelloResponse> responses) {
			responses.onNext(HelloResponse.newBuilder().setMessage(Thread.currentThread().getName()).build());
			responses.onCompleted();
		}

		@Override
		@NonBlocking
		public void repeat(HelloRequest request, StreamObserver<HelloResponse> responses) {
			hello(request, responses);
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class Watchers {

		final List<String> seen = new CopyOnWriteArrayList<>();

		@Bean
		@Order(2)
		ServerTransportFilter second() {
			return filter("filter 2");
		}

		@Bean
		@Order(1)
		ServerTransportFilter first() {
			return filter("filter 1");
		}

		@Bean
		@Order(2)
		ServerStreamTracer.Factory secondTracer() {
			return tracer("tracer 2 ");
		}

		@Bean
		@Order(1)
		ServerStreamTracer.Factory firstTracer() {
			return tracer("tracer 1 ");
		}

		private ServerTransportFilter filter(String name) {
			return new ServerTransportFilter() {

				@Override
				public Attributes transportReady(Attributes attributes) {
					Watchers.this.seen.add(name);
					return attributes;
				}

			};
		}

		private ServerStreamTracer.Factory tracer(String name) {
			return new ServerStreamTracer.Factory() {

				@Override
				public ServerStreamTracer newServerStreamTracer(String fullMethodName, Metadata headers) {
					Watchers.this.seen.add(name + fullMethodName);
					return new ServerStreamTracer() {
					};
				}

			};
		}

	}

	/** A codec that changes nothing but the name. */
	static class Shout implements Codec {

		@Override
		public String getMessageEncoding() {
			return "shout";
		}

		@Override
		public InputStream decompress(InputStream input) throws IOException {
			return input;
		}

		@Override
		public OutputStream compress(OutputStream output) throws IOException {
			return output;
		}

	}

}
