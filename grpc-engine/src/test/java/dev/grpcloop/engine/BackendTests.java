package dev.grpcloop.engine;

import java.net.InetSocketAddress;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;

import com.google.protobuf.BytesValue;
import dev.grpcloop.engine.telemetry.LoopTelemetry;
import io.grpc.stub.StreamObserver;
import io.netty.channel.IoEventLoopGroup;
import io.netty.channel.IoHandler;
import io.netty.channel.IoHandlerFactory;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.epoll.EpollIoHandler;
import io.netty.channel.kqueue.KQueueIoHandler;
import io.netty.channel.local.LocalIoHandler;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.uring.IoUringIoHandler;
import io.netty.util.concurrent.DefaultThreadFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

class BackendTests {

	@Test
	@EnabledOnOs(OS.LINUX)
	void linuxHasEpollHere() {
		assertThat(Variant.backends()).contains(Backend.NIO, Backend.EPOLL);
	}

	@ParameterizedTest
	@MethodSource("dev.grpcloop.engine.Variant#backends")
	void aBackendThatIsNamedIsUsed(Backend backend) throws Exception {
		try (TestServer server = TestServer.echo((builder) -> builder.backend(backend).workers(3))) {
			assertThat(server.server().getBackend()).isEqualTo(backend);
			assertThat(server.server().getBackendReason()).isNotBlank();
			assertThat(server.server().getWorkers()).isEqualTo(3);
			assertThat(server.blocking().unary(Messages.text("a"))).isEqualTo(Messages.text("a"));
		}
	}

	@Test
	void autoTakesOneThatIsThereAndSaysWhy() throws Exception {
		try (TestServer server = TestServer.echo((builder) -> builder.backend(Backend.AUTO))) {
			Backend expected = Backend.EPOLL.isAvailable() ? Backend.EPOLL
					: Backend.KQUEUE.isAvailable() ? Backend.KQUEUE : Backend.NIO;
			assertThat(server.server().getBackend()).isEqualTo(expected);
			assertThat(server.server().getBackendReason()).isNotBlank();
		}
	}

	@Test
	void autoAndNioAreAlwaysThere() {
		assertThat(Backend.AUTO.isAvailable()).isTrue();
		assertThat(Backend.NIO.isAvailable()).isTrue();
	}

	@Test
	@EnabledOnOs(OS.LINUX)
	void oneThatIsNotThereStopsTheBuildWithItsCause() {
		assertThat(Backend.KQUEUE.isAvailable()).isFalse();
		assertThatExceptionOfType(BackendUnavailableException.class)
			.isThrownBy(() -> EventLoopServerBuilder.forPort(0).backend(Backend.KQUEUE).build())
			.withMessageContaining("kqueue")
			.withMessageContaining("Available: nio, epoll")
			.satisfies((ex) -> {
				assertThat(ex.getBackend()).isEqualTo(Backend.KQUEUE);
				assertThat(ex.getCause()).isNotNull();
			});
	}

	@ParameterizedTest
	@MethodSource("dev.grpcloop.engine.Variant#backends")
	void theCallersEventLoopsAreUsedAndLeftRunning(Backend backend) throws Exception {
		IoEventLoopGroup group = new MultiThreadIoEventLoopGroup(2, new DefaultThreadFactory("my-loop"),
				ioHandlers(backend));
		try {
			List<String> threads = new CopyOnWriteArrayList<>();
			EchoService service = new EchoService() {

				@Override
				public void unary(BytesValue request, StreamObserver<BytesValue> responses) {
					threads.add(Thread.currentThread().getName());
					super.unary(request, responses);
				}

			};
			for (int i = 0; i < 2; i++) {
				try (TestServer server = TestServer
					.start((builder) -> builder.directExecutor().eventLoopGroup(group).addService(service))) {
					assertThat(server.server().getBackend()).isEqualTo(backend);
					assertThat(server.server().getWorkers()).isEqualTo(2);
					assertThat(server.blocking().unary(Messages.text("a"))).isEqualTo(Messages.text("a"));
				}
				assertThat(group.isShuttingDown()).isFalse();
			}
			assertThat(threads).hasSize(2).allMatch((name) -> name.startsWith("my-loop"));
			assertThat(group.submit(() -> "alive").get(10, TimeUnit.SECONDS)).isEqualTo("alive");
		}
		finally {
			group.shutdownGracefully(0, 5, TimeUnit.SECONDS).await();
		}
	}

	@ParameterizedTest
	@MethodSource("dev.grpcloop.engine.Variant#backends")
	void eventLoopsWhoseHandlersAreWrappedAreKnownToo(Backend backend) throws Exception {
		LoopTelemetry telemetry = new LoopTelemetry() {
		};
		IoEventLoopGroup group = new MultiThreadIoEventLoopGroup(1,
				MeasuredIoHandler.factory(ioHandlers(backend), List.of(telemetry).iterator()));
		try (TestServer server = TestServer.echo((builder) -> builder.eventLoopGroup(group))) {
			assertThat(server.server().getBackend()).isEqualTo(backend);
			assertThat(server.blocking().unary(Messages.text("a"))).isEqualTo(Messages.text("a"));
		}
		finally {
			group.shutdownGracefully(0, 5, TimeUnit.SECONDS).await();
		}
	}

	@Test
	void eventLoopsWithoutTelemetryAreNotMeasured() throws Exception {
		IoEventLoopGroup group = new MultiThreadIoEventLoopGroup(1, LocalIoHandler.newFactory());
		try {
			IoHandler handler = LocalIoHandler.newFactory().newHandler(group.next());
			IoHandlerFactory factory = MeasuredIoHandler.factory((executor) -> handler,
					List.of(LoopTelemetry.NOOP).iterator());
			assertThat(factory.newHandler(group.next())).isSameAs(handler);
		}
		finally {
			group.shutdownGracefully(0, 5, TimeUnit.SECONDS).await();
		}
	}

	@Test
	void eventLoopsThatDoNoNetworkIoAreRefused() throws Exception {
		IoEventLoopGroup group = new MultiThreadIoEventLoopGroup(1, LocalIoHandler.newFactory());
		try {
			assertThatIllegalArgumentException()
				.isThrownBy(() -> EventLoopServerBuilder.forAddress(new InetSocketAddress("127.0.0.1", 0))
					.eventLoopGroup(group)
					.build())
				.withMessageContaining("NioIoHandler");
		}
		finally {
			group.shutdownGracefully(0, 5, TimeUnit.SECONDS).await();
		}
	}

	private static IoHandlerFactory ioHandlers(Backend backend) {
		return switch (backend) {
			case NIO -> NioIoHandler.newFactory();
			case EPOLL -> EpollIoHandler.newFactory();
			case KQUEUE -> KQueueIoHandler.newFactory();
			case IO_URING -> IoUringIoHandler.newFactory();
			case AUTO -> throw new IllegalArgumentException("auto is no transport");
		};
	}

}
