package dev.grpcloop.engine;

import java.io.ByteArrayInputStream;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;

import com.google.protobuf.ByteString;
import com.google.protobuf.BytesValue;
import dev.grpcloop.engine.testproto.EchoGrpc;
import io.grpc.Codec;
import io.grpc.CompressorRegistry;
import io.grpc.DecompressorRegistry;
import io.grpc.ManagedChannel;
import io.grpc.Metadata;
import io.grpc.ServerCall;
import io.grpc.ServerCallHandler;
import io.grpc.ServerInterceptor;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.stub.MetadataUtils;
import io.grpc.stub.ServerCallStreamObserver;
import io.grpc.stub.StreamObserver;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Compressed messages, both ways (cases B04, B05 and B08). The telemetry tells the sizes
 * on the wire.
 */
class CompressionTests {

	private static final Metadata.Key<String> ENCODING = Metadata.Key.of("grpc-encoding",
			Metadata.ASCII_STRING_MARSHALLER);

	private static final BytesValue ZEROS = BytesValue.of(ByteString.copyFrom(new byte[100_000]));

	private static final ServerInterceptor GZIP = new ServerInterceptor() {

		@Override
		public <Q, R> ServerCall.Listener<Q> interceptCall(ServerCall<Q, R> call, Metadata headers,
				ServerCallHandler<Q, R> next) {
			call.setCompression("gzip");
			return next.startCall(call, headers);
		}

	};

	@EveryVariant
	void compressedRequestsAreRead(Variant variant) throws Exception {
		RecordingTelemetry telemetry = new RecordingTelemetry();
		try (TestServer server = TestServer.echo((builder) -> {
			variant.apply(builder);
			builder.telemetry(telemetry);
		})) {
			assertThat(server.blocking().withCompression("gzip").unary(ZEROS)).isEqualTo(ZEROS);
			RecordingObserver<BytesValue> responses = new RecordingObserver<>();
			StreamObserver<BytesValue> requests = server.async().withCompression("gzip").bidi(responses);
			for (int i = 0; i < 5; i++) {
				requests.onNext(ZEROS);
				requests.onNext(BytesValue.getDefaultInstance());
			}
			requests.onCompleted();
			assertThat(responses.all()).hasSize(10).startsWith(ZEROS, BytesValue.getDefaultInstance());
			assertThat(telemetry.method("t.Echo/Unary").bytesReceived.get()).isBetween(1L, 2000L);
			assertThat(telemetry.method("t.Echo/Unary").bytesSent.get()).isGreaterThan(100_000);
		}
	}

	@EveryVariant
	void responsesAreCompressedIfTheServiceSaysSo(Variant variant) throws Exception {
		RecordingTelemetry telemetry = new RecordingTelemetry();
		AtomicReference<Metadata> headers = new AtomicReference<>();
		try (TestServer server = TestServer.echo((builder) -> {
			variant.apply(builder);
			builder.telemetry(telemetry).intercept(GZIP);
		})) {
			assertThat(server.blocking()
				.withInterceptors(MetadataUtils.newCaptureMetadataInterceptor(headers, new AtomicReference<>()))
				.unary(ZEROS)).isEqualTo(ZEROS);
			assertThat(headers.get().get(ENCODING)).isEqualTo("gzip");
			assertThat(telemetry.method("t.Echo/Unary").bytesSent.get()).isBetween(1L, 2000L);
		}
	}

	@BothModes
	void aServiceMaySpareSingleMessages(Mode mode) throws Exception {
		RecordingTelemetry telemetry = new RecordingTelemetry();
		EchoService service = new EchoService() {

			@Override
			public void serverStream(BytesValue request, StreamObserver<BytesValue> responses) {
				ServerCallStreamObserver<BytesValue> call = (ServerCallStreamObserver<BytesValue>) responses;
				call.setCompression("gzip");
				for (int i = 0; i < 3; i++) {
					call.setMessageCompression(i != 1);
					call.onNext(ZEROS);
				}
				call.onCompleted();
			}

		};
		try (TestServer server = TestServer.start(mode::apply,
				(builder) -> builder.addService(service).telemetry(telemetry))) {
			assertThat(server.blocking().serverStream(BytesValue.getDefaultInstance())).toIterable()
				.containsExactly(ZEROS, ZEROS, ZEROS);
			assertThat(telemetry.method("t.Echo/ServerStream").bytesSent.get()).isBetween(100_000L, 105_000L);
		}
	}

	@BothModes
	void aClientThatTakesNoCompressionGetsNone(Mode mode) throws Exception {
		RecordingTelemetry telemetry = new RecordingTelemetry();
		AtomicReference<Metadata> headers = new AtomicReference<>();
		try (TestServer server = TestServer.echo((builder) -> {
			mode.apply(builder);
			builder.telemetry(telemetry).intercept(GZIP);
		})) {
			ManagedChannel plain = server.newChannel((builder) -> builder
				.decompressorRegistry(DecompressorRegistry.emptyInstance().with(Codec.Identity.NONE, false)));
			assertThat(EchoGrpc.newBlockingStub(plain)
				.withInterceptors(MetadataUtils.newCaptureMetadataInterceptor(headers, new AtomicReference<>()))
				.unary(ZEROS)).isEqualTo(ZEROS);
			assertThat(headers.get().get(ENCODING)).isNotEqualTo("gzip");
			assertThat(telemetry.method("t.Echo/Unary").bytesSent.get()).isGreaterThan(100_000);
		}
	}

	@BothModes
	void aSmallMessageMayNotUnpackToMoreThanTheLimit(Mode mode) throws Exception {
		AtomicInteger reached = new AtomicInteger();
		EchoService service = new EchoService() {

			@Override
			public void unary(BytesValue request, StreamObserver<BytesValue> responses) {
				reached.incrementAndGet();
				super.unary(request, responses);
			}

		};
		try (TestServer server = TestServer.start(mode::apply,
				(builder) -> builder.addService(service).maxInboundMessageSize(ZEROS.getSerializedSize() - 1))) {
			RecordingObserver<BytesValue> responses = new RecordingObserver<>();
			server.async().withCompression("gzip").unary(ZEROS, responses);
			assertThat(responses.status().getCode()).isEqualTo(Status.Code.RESOURCE_EXHAUSTED);
			assertThat(responses.status().getDescription()).contains(Integer.toString(ZEROS.getSerializedSize() - 1));
			assertThat(reached).hasValue(0);
			assertThat(server.blocking().unary(Messages.text("alive"))).isEqualTo(Messages.text("alive"));
		}
	}

	/**
	 * Threads of the pool that each have a message in their hands.
	 */
	@Test
	void messagesThatServicesHoldMayNotUnpackToMoreThanTheServersMemory() throws Exception {
		BytesValue large = BytesValue.of(ByteString.copyFrom(new byte[TestServer.MIB]));
		AtomicInteger reached = new AtomicInteger();
		CountDownLatch released = new CountDownLatch(1);
		EchoService service = new EchoService() {

			@Override
			public void unary(BytesValue request, StreamObserver<BytesValue> responses) {
				reached.incrementAndGet();
				try {
					released.await();
				}
				catch (InterruptedException ex) {
					Thread.currentThread().interrupt();
				}
				responses.onNext(BytesValue.getDefaultInstance());
				responses.onCompleted();
			}

		};
		try (TestServer server = TestServer.start(Mode.OFF_THE_LOOP::apply,
				(builder) -> builder.addService(service).maxBufferedBytes(8 * TestServer.MIB))) {
			List<RecordingObserver<BytesValue>> calls = new ArrayList<>();
			AtomicInteger ended = new AtomicInteger();
			for (int i = 0; i < 60; i++) {
				RecordingObserver<BytesValue> call = new RecordingObserver<>() {

					@Override
					public void onError(Throwable failure) {
						super.onError(failure);
						ended.incrementAndGet();
					}

				};
				calls.add(call);
				server.async().withCompression("gzip").unary(large, call);
			}
			Eventually.until("every call is in its service or over", () -> reached.get() + ended.get() == 60);
			assertThat(reached.get()).isBetween(1, 4);
			assertThat(server.server().getBufferedBytes()).isLessThanOrEqualTo(10 * TestServer.MIB);
			released.countDown();
			int served = 0;
			for (RecordingObserver<BytesValue> call : calls) {
				Status.Code code = call.status().getCode();
				assertThat(code).isIn(Status.Code.OK, Status.Code.RESOURCE_EXHAUSTED);
				served += (code == Status.Code.OK) ? 1 : 0;
			}
			assertThat(served).isEqualTo(reached.get());
			assertThat(server.blocking().withCompression("gzip").unary(large))
				.isEqualTo(BytesValue.getDefaultInstance());
		}
	}

	/**
	 * Case B04 (d): a message that breaks off leaves no stream open that holds native
	 * memory.
	 */
	@BothModes
	void whatDecompressesAMessageIsClosedThoughTheMessageBreaksOff(Mode mode) throws Exception {
		AtomicInteger open = new AtomicInteger();
		AtomicInteger opened = new AtomicInteger();
		Codec counting = new BreakingGzip(open, opened);
		try (TestServer server = TestServer.echo((builder) -> {
			mode.apply(builder);
			builder.decompressorRegistry(DecompressorRegistry.getDefaultInstance().with(counting, true));
		})) {
			for (int i = 0; i < 500; i++) {
				RecordingObserver<BytesValue> responses = new RecordingObserver<>();
				server.async().withCompression("gzip").unary(ZEROS, responses);
				assertThat(responses.status().getCode()).isEqualTo(Status.Code.INTERNAL);
			}
			assertThat(opened).hasValue(500);
			assertThat(open).hasValue(0);
			assertThat(server.blocking().unary(Messages.text("alive"))).isEqualTo(Messages.text("alive"));
		}
	}

	@BothModes
	void anEncodingTheServerDoesNotKnowIsUnimplemented(Mode mode) throws Exception {
		Codec strange = new RenamedGzip("zz9");
		CompressorRegistry compressors = CompressorRegistry.newEmptyInstance();
		compressors.register(strange);
		try (TestServer server = TestServer.echo(mode::apply)) {
			server.newChannel((builder) -> builder.compressorRegistry(compressors));
			RecordingObserver<BytesValue> responses = new RecordingObserver<>();
			server.async().withCompression("zz9").unary(ZEROS, responses);
			StatusRuntimeException end = responses.end();
			assertThat(end.getStatus().getCode()).isEqualTo(Status.Code.UNIMPLEMENTED);
			assertThat(end.getStatus().getDescription()).contains("zz9");
			assertThat(server.blocking().unary(Messages.text("alive"))).isEqualTo(Messages.text("alive"));
		}
	}

	@BothModes
	void codecsOfTheCallersWorkBothWays(Mode mode) throws Exception {
		Codec own = new RenamedGzip("own");
		CompressorRegistry compressors = CompressorRegistry.newEmptyInstance();
		compressors.register(own);
		DecompressorRegistry decompressors = DecompressorRegistry.emptyInstance().with(own, true);
		List<String> chosen = new CopyOnWriteArrayList<>();
		RecordingTelemetry telemetry = new RecordingTelemetry();
		try (TestServer server = TestServer.echo((builder) -> {
			mode.apply(builder);
			builder.compressorRegistry(compressors)
				.decompressorRegistry(decompressors)
				.telemetry(telemetry)
				.intercept(new ServerInterceptor() {

					@Override
					public <Q, R> ServerCall.Listener<Q> interceptCall(ServerCall<Q, R> call, Metadata headers,
							ServerCallHandler<Q, R> next) {
						call.setCompression("own");
						chosen.add("own");
						return next.startCall(call, headers);
					}

				});
		})) {
			server.newChannel((builder) -> builder.compressorRegistry(compressors).decompressorRegistry(decompressors));
			assertThat(server.blocking().withCompression("own").unary(ZEROS)).isEqualTo(ZEROS);
			assertThat(chosen).hasSize(1);
			assertThat(telemetry.method("t.Echo/Unary").bytesReceived.get()).isBetween(1L, 2000L);
			assertThat(telemetry.method("t.Echo/Unary").bytesSent.get()).isBetween(1L, 2000L);
		}
	}

	@Test
	void aCompressorThatIsNotThereIsTheServicesFault() throws Exception {
		List<Throwable> thrown = new CopyOnWriteArrayList<>();
		EchoService service = new EchoService() {

			@Override
			public void unary(BytesValue request, StreamObserver<BytesValue> responses) {
				try {
					((ServerCallStreamObserver<BytesValue>) responses).setCompression("nope");
				}
				catch (IllegalArgumentException ex) {
					thrown.add(ex);
				}
				super.unary(request, responses);
			}

		};
		try (TestServer server = TestServer.start(Mode.ON_THE_LOOP::apply, (builder) -> builder.addService(service))) {
			assertThat(server.blocking().unary(ZEROS)).isEqualTo(ZEROS);
			assertThat(thrown).singleElement().satisfies((ex) -> assertThat(ex).hasMessageContaining("nope"));
		}
	}

	/**
	 * Gzip that loses the last three bytes, and counts what it opens and what is not
	 * closed.
	 */
	private record BreakingGzip(AtomicInteger open, AtomicInteger opened) implements Codec {

		@Override
		public String getMessageEncoding() {
			return "gzip";
		}

		@Override
		public InputStream decompress(InputStream in) throws IOException {
			this.open.incrementAndGet();
			this.opened.incrementAndGet();
			byte[] whole = in.readAllBytes();
			InputStream part = new ByteArrayInputStream(whole, 0, whole.length - 3);
			return new FilterInputStream(new Codec.Gzip().decompress(part)) {

				private boolean closed;

				@Override
				public void close() throws IOException {
					if (!this.closed) {
						this.closed = true;
						BreakingGzip.this.open.decrementAndGet();
					}
					super.close();
				}

			};
		}

		@Override
		public OutputStream compress(OutputStream out) throws IOException {
			return new Codec.Gzip().compress(out);
		}

	}

	/**
	 * Gzip under another name.
	 */
	private record RenamedGzip(String name) implements Codec {

		@Override
		public String getMessageEncoding() {
			return this.name;
		}

		@Override
		public InputStream decompress(InputStream in) throws IOException {
			return new Codec.Gzip().decompress(in);
		}

		@Override
		public OutputStream compress(OutputStream out) throws IOException {
			return new Codec.Gzip().compress(out);
		}

	}

}
