package dev.grpcloop.engine;

import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;

import com.google.protobuf.BytesValue;
import dev.grpcloop.engine.testproto.EchoGrpc;
import io.grpc.ForwardingServerCall.SimpleForwardingServerCall;
import io.grpc.Metadata;
import io.grpc.ServerCall;
import io.grpc.ServerCallHandler;
import io.grpc.ServerInterceptor;
import io.grpc.Status;
import io.grpc.stub.MetadataUtils;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Metadata in both directions (case B14).
 */
class MetadataTests {

	private static final Metadata.Key<String> TEXT = Metadata.Key.of("x-text", Metadata.ASCII_STRING_MARSHALLER);

	private static final Metadata.Key<String> OTHER = Metadata.Key.of("x-other", Metadata.ASCII_STRING_MARSHALLER);

	private static final Metadata.Key<byte[]> BINARY = Metadata.Key.of("x-data-bin", Metadata.BINARY_BYTE_MARSHALLER);

	private static final byte[] EVERY_BYTE = new byte[256];

	static {
		for (int i = 0; i < EVERY_BYTE.length; i++) {
			EVERY_BYTE[i] = (byte) i;
		}
	}

	@EveryVariant
	void whatTheClientSendsComesBackAsHeadersAndAsTrailers(Variant variant) throws Exception {
		Mirror mirror = new Mirror();
		try (TestServer server = TestServer.echo((builder) -> {
			variant.apply(builder);
			builder.intercept(mirror);
		})) {
			Metadata sent = new Metadata();
			sent.put(TEXT, "first");
			sent.put(BINARY, EVERY_BYTE);
			sent.put(OTHER, "a value with spaces, commas and ~ tildes");
			sent.put(TEXT, "second");
			sent.put(BINARY, new byte[0]);
			sent.put(BINARY, new byte[] { -1 });
			Answer answer = call(server, sent);
			for (Metadata received : new Metadata[] { mirror.requestHeaders.get(), answer.headers.get(),
					answer.trailers.get() }) {
				assertThat(received.getAll(TEXT)).containsExactly("first", "second");
				assertThat(received.getAll(OTHER)).containsExactly("a value with spaces, commas and ~ tildes");
				assertThat(received.getAll(BINARY)).containsExactly(EVERY_BYTE, new byte[0], new byte[] { -1 });
			}
		}
	}

	@BothModes
	void everyCallHasItsOwnMetadataThoughTheHeadersRepeat(Mode mode) throws Exception {
		Mirror mirror = new Mirror();
		try (TestServer server = TestServer.echo((builder) -> {
			mode.apply(builder);
			builder.intercept(mirror);
		})) {
			for (int i = 0; i < 5; i++) {
				Metadata sent = new Metadata();
				sent.put(TEXT, "the same");
				sent.put(BINARY, EVERY_BYTE.clone());
				call(server, sent);
				Metadata received = mirror.requestHeaders.get();
				assertThat(received.getAll(TEXT)).containsExactly("the same");
				assertThat(received.get(BINARY)).isEqualTo(EVERY_BYTE);
				// what this call does to its own is nothing to the next one
				received.get(BINARY)[7] = 99;
				received.removeAll(TEXT);
				received.put(TEXT, "spoilt");
			}
		}
	}

	@BothModes
	void headersThatChangeFromCallToCallAreNotMixedUp(Mode mode) throws Exception {
		Mirror mirror = new Mirror();
		try (TestServer server = TestServer.echo((builder) -> {
			mode.apply(builder);
			builder.intercept(mirror);
		})) {
			for (int i = 0; i < 100; i++) {
				Metadata sent = new Metadata();
				sent.put(TEXT, "value " + i % 7);
				if (i % 3 == 0) {
					sent.put(OTHER, "only every third");
				}
				Answer answer = call(server, sent);
				assertThat(answer.headers.get().getAll(TEXT)).containsExactly("value " + i % 7);
				assertThat(answer.headers.get().containsKey(OTHER)).isEqualTo(i % 3 == 0);
			}
		}
	}

	@BothModes
	void largeMetadataPassesBothWays(Mode mode) throws Exception {
		Mirror mirror = new Mirror();
		int limit = 256 * 1024;
		try (TestServer server = TestServer.echo((builder) -> {
			mode.apply(builder);
			builder.intercept(mirror).maxInboundMetadataSize(limit);
		})) {
			server.newChannel((builder) -> builder.maxInboundMetadataSize(limit));
			Metadata sent = new Metadata();
			sent.put(TEXT, "x".repeat(60_000));
			sent.put(OTHER, "y".repeat(40_000));
			Answer answer = call(server, sent);
			assertThat(answer.headers.get().get(TEXT)).isEqualTo("x".repeat(60_000));
			assertThat(answer.trailers.get().get(OTHER)).isEqualTo("y".repeat(40_000));
		}
	}

	@BothModes
	void theClientIsToldHowMuchMetadataTheServerTakes(Mode mode) throws Exception {
		try (TestServer server = TestServer.echo(mode::apply)) {
			Metadata sent = new Metadata();
			sent.put(TEXT, "x".repeat(9000));
			RecordingObserver<BytesValue> responses = new RecordingObserver<>();
			server.async()
				.withInterceptors(MetadataUtils.newAttachHeadersInterceptor(sent))
				.unary(Messages.text("a"), responses);
			// the stock client does not even send it
			assertThat(responses.status().getCause()).hasMessageContaining("8192");
			assertThat(server.blocking().unary(Messages.text("b"))).isEqualTo(Messages.text("b"));
		}
	}

	@BothModes
	void theServiceSeesNothingOfTheTransport(Mode mode) throws Exception {
		Mirror mirror = new Mirror();
		try (TestServer server = TestServer.echo((builder) -> {
			mode.apply(builder);
			builder.intercept(mirror);
		})) {
			Answer answer = call(server, new Metadata());
			assertThat(mirror.namesOfRequest.get()).doesNotContain(":path", ":method", ":authority", ":scheme", "te",
					"host", "grpc-timeout");
			assertThat(answer.trailers.get().keys()).doesNotContain(":status");
		}
	}

	private static Answer call(TestServer server, Metadata sent) {
		Answer answer = new Answer();
		BytesValue response = EchoGrpc.newBlockingStub(server.channel())
			.withInterceptors(MetadataUtils.newAttachHeadersInterceptor(sent),
					MetadataUtils.newCaptureMetadataInterceptor(answer.headers, answer.trailers))
			.unary(Messages.text("a"));
		assertThat(response).isEqualTo(Messages.text("a"));
		return answer;
	}

	private static final class Answer {

		private final AtomicReference<Metadata> headers = new AtomicReference<>();

		private final AtomicReference<Metadata> trailers = new AtomicReference<>();

	}

	/**
	 * Copies the test's own metadata of the request to the response, twice.
	 */
	private static final class Mirror implements ServerInterceptor {

		private final AtomicReference<Metadata> requestHeaders = new AtomicReference<>();

		private final AtomicReference<Set<String>> namesOfRequest = new AtomicReference<>();

		@Override
		public <Q, R> ServerCall.Listener<Q> interceptCall(ServerCall<Q, R> call, Metadata headers,
				ServerCallHandler<Q, R> next) {
			Metadata own = new Metadata();
			for (Metadata.Key<String> key : List.of(TEXT, OTHER)) {
				copy(headers, own, key);
			}
			copy(headers, own, BINARY);
			this.namesOfRequest.set(headers.keys());
			this.requestHeaders.set(headers);
			return next.startCall(new SimpleForwardingServerCall<Q, R>(call) {

				@Override
				public void sendHeaders(Metadata responseHeaders) {
					responseHeaders.merge(own);
					super.sendHeaders(responseHeaders);
				}

				@Override
				public void close(Status status, Metadata trailers) {
					trailers.merge(own);
					super.close(status, trailers);
				}

			}, headers);
		}

		private static <T> void copy(Metadata from, Metadata to, Metadata.Key<T> key) {
			Iterable<T> values = from.getAll(key);
			if (values != null) {
				values.forEach((value) -> to.put(key, value));
			}
		}

	}

}
