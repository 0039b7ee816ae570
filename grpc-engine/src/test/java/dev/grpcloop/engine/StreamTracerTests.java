package dev.grpcloop.engine;

import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

import com.google.protobuf.ByteString;
import com.google.protobuf.BytesValue;
import dev.grpcloop.engine.telemetry.CallTracerFactory;
import dev.grpcloop.engine.testproto.EchoGrpc;
import io.grpc.Attributes;
import io.grpc.CallOptions;
import io.grpc.Context;
import io.grpc.Grpc;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import io.grpc.ServerCall;
import io.grpc.ServerCallHandler;
import io.grpc.ServerInterceptor;
import io.grpc.ServerStreamTracer;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.stub.ClientCalls;
import org.jspecify.annotations.Nullable;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * What stream tracers hear of calls that are not the usual ones.
 */
class StreamTracerTests {

	@BothModes
	void aMethodThatIsNotThereIsTraced(Mode mode) throws Exception {
		RecordingTracer tracer = new RecordingTracer();
		try (TestServer server = TestServer.start(mode::apply, (builder) -> builder.addStreamTracerFactory(tracer))) {
			assertThatExceptionOfType(StatusRuntimeException.class)
				.isThrownBy(() -> server.blocking().unary(BytesValue.getDefaultInstance()));
			assertThat(tracer.closed()).extracting(Status::getCode).isEqualTo(Status.Code.UNIMPLEMENTED);
			assertThat(tracer.method).isEqualTo(EchoGrpc.getUnaryMethod().getFullMethodName());
			assertThat(tracer.context).isNotNull();
		}
	}

	@BothModes
	void aFactoryThatAsksForItIsToldOfTheConnection(Mode mode) throws Exception {
		List<String> peers = new CopyOnWriteArrayList<>();
		CallTracerFactory factory = new CallTracerFactory() {

			@Override
			public ServerStreamTracer newServerStreamTracer(String fullMethodName, Metadata headers) {
				throw new AssertionError("the engine asks for more");
			}

			@Override
			public ServerStreamTracer newServerStreamTracer(String fullMethodName, Metadata headers,
					Attributes transport) {
				peers.add(fullMethodName + " " + (transport.get(Grpc.TRANSPORT_ATTR_REMOTE_ADDR) != null));
				return new ServerStreamTracer() {
				};
			}

		};
		RecordingTracer plain = new RecordingTracer();
		CallTracerFactory delegating = new CallTracerFactory() {

			@Override
			public ServerStreamTracer newServerStreamTracer(String fullMethodName, Metadata headers) {
				return plain.newServerStreamTracer(fullMethodName, headers);
			}

		};
		MethodDescriptor<BytesValue, BytesValue> unknown = EchoGrpc.getUnaryMethod()
			.toBuilder()
			.setFullMethodName("made.Up/Method")
			.build();
		try (TestServer server = TestServer.echo((builder) -> {
			mode.apply(builder);
			builder.addStreamTracerFactory(factory).addStreamTracerFactory(delegating);
		})) {
			server.blocking().unary(BytesValue.getDefaultInstance());
			assertThat(plain.closed()).isEqualTo(Status.OK);
			assertThatExceptionOfType(StatusRuntimeException.class).isThrownBy(() -> ClientCalls
				.blockingUnaryCall(server.channel(), unknown, CallOptions.DEFAULT, BytesValue.getDefaultInstance()));
		}
		assertThat(peers).containsExactly("t.Echo/Unary true", "made.Up/Method true");
	}

	@BothModes
	void aCompressedResponseIsTracedWithTheLengthItHadBefore(Mode mode) throws Exception {
		RecordingTracer tracer = new RecordingTracer();
		BytesValue zeros = BytesValue.of(ByteString.copyFrom(new byte[100_000]));
		try (TestServer server = TestServer.echo((builder) -> {
			mode.apply(builder);
			builder.addStreamTracerFactory(tracer).intercept(new Gzip());
		})) {
			server.blocking().unary(zeros);
			assertThat(tracer.closed()).isEqualTo(Status.OK);
			assertThat(tracer.uncompressed).hasValue(zeros.getSerializedSize());
			assertThat(tracer.wire).hasPositiveValue().hasValueLessThan(2000);
		}
	}

	@BothModes
	void aTracerThatThrowsAtTheEndDoesNotSilenceTheConnection(Mode mode) throws Exception {
		ServerStreamTracer.Factory throwing = new ServerStreamTracer.Factory() {

			@Override
			public ServerStreamTracer newServerStreamTracer(String fullMethodName, Metadata headers) {
				return new ServerStreamTracer() {

					@Override
					public void streamClosed(Status status) {
						throw new IllegalStateException("a fault of the tracer");
					}

				};
			}

		};
		try (TestServer server = TestServer.echo((builder) -> {
			mode.apply(builder);
			builder.addStreamTracerFactory(throwing);
		})) {
			for (int i = 0; i < 3; i++) {
				assertThat(
						server.blocking().withDeadlineAfter(5, TimeUnit.SECONDS).unary(BytesValue.getDefaultInstance()))
					.isEqualTo(BytesValue.getDefaultInstance());
			}
		}
	}

	/**
	 * Traces one call.
	 */
	private static final class RecordingTracer extends ServerStreamTracer.Factory {

		private final AtomicLong wire = new AtomicLong();

		private final AtomicLong uncompressed = new AtomicLong();

		private final CompletableFuture<Status> closed = new CompletableFuture<>();

		private volatile String method = "";

		private volatile @Nullable Context context;

		@Override
		public ServerStreamTracer newServerStreamTracer(String fullMethodName, Metadata headers) {
			this.method = fullMethodName;
			return new ServerStreamTracer() {

				@Override
				public Context filterContext(Context context) {
					RecordingTracer.this.context = context;
					return context;
				}

				@Override
				public void outboundWireSize(long bytes) {
					RecordingTracer.this.wire.addAndGet(bytes);
				}

				@Override
				public void outboundUncompressedSize(long bytes) {
					RecordingTracer.this.uncompressed.addAndGet(bytes);
				}

				@Override
				public void streamClosed(Status status) {
					RecordingTracer.this.closed.complete(status);
				}

			};
		}

		Status closed() throws Exception {
			return this.closed.get(10, TimeUnit.SECONDS);
		}

	}

	private static final class Gzip implements ServerInterceptor {

		@Override
		public <Q, R> ServerCall.Listener<Q> interceptCall(ServerCall<Q, R> call, Metadata headers,
				ServerCallHandler<Q, R> next) {
			call.setCompression("gzip");
			return next.startCall(call, headers);
		}

	}

}
