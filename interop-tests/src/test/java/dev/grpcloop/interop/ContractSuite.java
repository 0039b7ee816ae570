package dev.grpcloop.interop;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.Objects;

import dev.grpcloop.engine.EventLoopServer;
import dev.grpcloop.engine.EventLoopServerBuilder;
import dev.grpcloop.engine.testsupport.BufferLeaks;
import io.grpc.ForwardingServerBuilder;
import io.grpc.ManagedChannelBuilder;
import io.grpc.Server;
import io.grpc.ServerBuilder;
import io.grpc.census.InternalCensusTracingAccessor;
import io.grpc.netty.InternalNettyChannelBuilder;
import io.grpc.netty.NettyChannelBuilder;
import io.grpc.testing.integration.AbstractInteropTest;
import org.jspecify.annotations.Nullable;
import org.junit.AfterClass;
import org.junit.BeforeClass;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The suite that grpc-java's own transports have to pass, with its small windows and its
 * checks of what stream tracers and census are told.
 */
public abstract class ContractSuite extends AbstractInteropTest {

	private final Mode mode;

	private @Nullable EventLoopServer server;

	ContractSuite(Mode mode) {
		this.mode = mode;
	}

	@BeforeClass
	public static void watchBuffers() {
		BufferLeaks.install();
	}

	@AfterClass
	public static void noBufferIsLost() {
		assertThat(BufferLeaks.collect()).as("buffers that were not released").isEmpty();
	}

	@Override
	protected ServerBuilder<?> getServerBuilder() {
		InetSocketAddress address = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
		EventLoopServerBuilder builder = this.mode.apply(EventLoopServerBuilder.forAddress(address))
			.flowControlWindow(TEST_FLOW_CONTROL_WINDOW)
			.maxInboundMessageSize(MAX_MESSAGE_SIZE)
			.addStreamTracerFactory(createCustomCensusTracerFactory())
			.addStreamTracerFactory(InternalCensusTracingAccessor.getServerStreamTracerFactory());
		return new RememberingBuilder(builder);
	}

	@Override
	protected ManagedChannelBuilder<?> createChannelBuilder() {
		EventLoopServer server = Objects.requireNonNull(this.server, "the suite builds the server first");
		NettyChannelBuilder builder = NettyChannelBuilder
			.forAddress(InetAddress.getLoopbackAddress().getHostAddress(), server.getPort())
			.usePlaintext()
			.flowControlWindow(TEST_FLOW_CONTROL_WINDOW)
			.maxInboundMessageSize(MAX_MESSAGE_SIZE);
		// the client finds census on the class path; its tags would replace the suite's
		InternalNettyChannelBuilder.setStatsEnabled(builder, false);
		return builder.intercept(createCensusStatsClientInterceptor());
	}

	/**
	 * Remembers the server, which the suite builds and keeps to itself.
	 */
	private final class RememberingBuilder extends ForwardingServerBuilder<RememberingBuilder> {

		private final EventLoopServerBuilder delegate;

		RememberingBuilder(EventLoopServerBuilder delegate) {
			this.delegate = delegate;
		}

		@Override
		protected ServerBuilder<?> delegate() {
			return this.delegate;
		}

		@Override
		public Server build() {
			EventLoopServer built = this.delegate.build();
			ContractSuite.this.server = built;
			return built;
		}

	}

}
