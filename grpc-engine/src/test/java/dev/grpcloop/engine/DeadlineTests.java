package dev.grpcloop.engine;

import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;

import com.google.protobuf.BytesValue;
import io.grpc.ClientInterceptor;
import io.grpc.Context;
import io.grpc.Deadline;
import io.grpc.Metadata;
import io.grpc.Status;
import io.grpc.stub.MetadataUtils;
import io.grpc.stub.ServerCallStreamObserver;
import io.grpc.stub.StreamObserver;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Deadlines as the server keeps them (cases B16 and B27). The clients here name a timeout
 * and do not keep it themselves.
 */
class DeadlineTests {

	private static final Metadata.Key<String> TIMEOUT = Metadata.Key.of("grpc-timeout",
			Metadata.ASCII_STRING_MARSHALLER);

	@EveryVariant
	void theServerEndsACallWhoseTimeHasPassed(Variant variant) throws Exception {
		Silent service = new Silent();
		RecordingTelemetry telemetry = new RecordingTelemetry();
		try (TestServer server = TestServer.start(variant::apply,
				(builder) -> builder.addService(service).telemetry(telemetry))) {
			RecordingObserver<BytesValue> responses = new RecordingObserver<>();
			server.async().withInterceptors(timeout("50m")).bidi(responses).onNext(Messages.text("a"));
			assertThat(responses.status().getCode()).as("a reset").isEqualTo(Status.Code.CANCELLED);
			assertThat(service.cancelled.await(10, TimeUnit.SECONDS)).isTrue();
			assertThat(service.context.get().isCancelled()).isTrue();
			assertThat(service.context.get().cancellationCause()).isInstanceOf(TimeoutException.class);
			assertThat(telemetry.method("t.Echo/Bidi").codes()).containsExactly(Status.Code.DEADLINE_EXCEEDED);
			assertThat(server.blocking().unary(Messages.text("alive"))).isEqualTo(Messages.text("alive"));
		}
	}

	@BothModes
	void aCallWhoseTimeHasPassedWhenItComesNeverReachesTheService(Mode mode) throws Exception {
		AtomicInteger reached = new AtomicInteger();
		EchoService service = new EchoService() {

			@Override
			public void unary(BytesValue request, StreamObserver<BytesValue> responses) {
				reached.incrementAndGet();
				super.unary(request, responses);
			}

		};
		try (TestServer server = TestServer.start(mode::apply, (builder) -> builder.addService(service))) {
			for (String timeout : new String[] { "0S", "1n" }) {
				RecordingObserver<BytesValue> responses = new RecordingObserver<>();
				server.async().withInterceptors(timeout(timeout)).unary(Messages.text("a"), responses);
				assertThat(responses.status().getCode()).isEqualTo(Status.Code.DEADLINE_EXCEEDED);
			}
			assertThat(reached).hasValue(0);
		}
	}

	@BothModes
	void theServiceSeesTheDeadline(Mode mode) throws Exception {
		BlockingQueue<Deadline> deadlines = new LinkedBlockingQueue<>();
		AtomicInteger without = new AtomicInteger();
		EchoService service = new EchoService() {

			@Override
			public void unary(BytesValue request, StreamObserver<BytesValue> responses) {
				Deadline deadline = Context.current().getDeadline();
				if (deadline != null) {
					deadlines.add(deadline);
				}
				else {
					without.incrementAndGet();
				}
				super.unary(request, responses);
			}

		};
		try (TestServer server = TestServer.start(mode::apply, (builder) -> builder.addService(service))) {
			server.blocking().withDeadlineAfter(100, TimeUnit.SECONDS).unary(Messages.text("a"));
			assertThat(deadlines.take().timeRemaining(TimeUnit.MILLISECONDS)).isBetween(1L, 100_000L);
			server.blocking().withDeadline(null).withInterceptors(timeout("99999999H")).unary(Messages.text("b"));
			assertThat(deadlines.take().timeRemaining(TimeUnit.DAYS)).isGreaterThan(365);
			server.blocking().withDeadline(null).unary(Messages.text("c"));
			assertThat(without).hasValue(1);
			assertThat(deadlines).isEmpty();
		}
	}

	private static ClientInterceptor timeout(String timeout) {
		Metadata headers = new Metadata();
		headers.put(TIMEOUT, timeout);
		return MetadataUtils.newAttachHeadersInterceptor(headers);
	}

	/**
	 * Its bidirectional method answers nothing.
	 */
	private static final class Silent extends EchoService {

		private final CountDownLatch cancelled = new CountDownLatch(1);

		private final AtomicReference<Context> context = new AtomicReference<>();

		@Override
		public StreamObserver<BytesValue> bidi(StreamObserver<BytesValue> responses) {
			this.context.set(Context.current());
			((ServerCallStreamObserver<BytesValue>) responses).setOnCancelHandler(this.cancelled::countDown);
			return new StreamObserver<>() {

				@Override
				public void onNext(BytesValue value) {
				}

				@Override
				public void onError(Throwable error) {
				}

				@Override
				public void onCompleted() {
				}

			};
		}

	}

}
