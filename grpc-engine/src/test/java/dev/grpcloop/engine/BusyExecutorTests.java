package dev.grpcloop.engine;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;

import com.google.protobuf.BytesValue;
import io.grpc.Context;
import io.grpc.Metadata;
import io.grpc.stub.MetadataUtils;
import io.grpc.stub.StreamObserver;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * An executor whose only thread waits in service code for its own call to be cancelled
 * (cases B25 and B27).
 */
class BusyExecutorTests {

	private static final Metadata.Key<String> TIMEOUT = Metadata.Key.of("grpc-timeout",
			Metadata.ASCII_STRING_MARSHALLER);

	@ParameterizedTest
	@ValueSource(booleans = { true, false })
	void theContextIsCancelledAlthoughNoThreadIsFree(boolean byTheClient) throws Exception {
		CountDownLatch started = new CountDownLatch(1);
		CountDownLatch cancelled = new CountDownLatch(1);
		EchoService service = new EchoService() {

			@Override
			public void unary(BytesValue request, StreamObserver<BytesValue> responses) {
				CountDownLatch news = new CountDownLatch(1);
				Context.current().addListener((context) -> news.countDown(), Runnable::run);
				started.countDown();
				try {
					if (news.await(20, TimeUnit.SECONDS)) {
						cancelled.countDown();
					}
				}
				catch (InterruptedException ex) {
					Thread.currentThread().interrupt();
				}
			}

		};
		ExecutorService oneThread = Executors.newSingleThreadExecutor();
		try (TestServer server = TestServer.start((builder) -> builder.executor(oneThread).addService(service))) {
			Metadata headers = new Metadata();
			if (!byTheClient) {
				headers.put(TIMEOUT, "50m");
			}
			Context.CancellableContext client = Context.current().withCancellation();
			client.run(() -> server.async()
				.withInterceptors(MetadataUtils.newAttachHeadersInterceptor(headers))
				.unary(BytesValue.getDefaultInstance(), new RecordingObserver<>()));
			assertThat(started.await(20, TimeUnit.SECONDS)).isTrue();
			if (byTheClient) {
				client.cancel(null);
			}
			assertThat(cancelled.await(10, TimeUnit.SECONDS)).isTrue();
			client.cancel(null);
		}
		finally {
			oneThread.shutdownNow();
		}
	}

}
