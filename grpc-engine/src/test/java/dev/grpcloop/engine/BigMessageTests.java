package dev.grpcloop.engine;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;

import com.google.protobuf.ByteString;
import com.google.protobuf.BytesValue;
import dev.grpcloop.engine.testproto.EchoGrpc;
import io.grpc.ManagedChannel;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.stub.StreamObserver;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Messages larger than frames, buffers and windows, and the limit on their size (cases
 * B06 and B33).
 */
class BigMessageTests {

	private static final int LIMIT = 4 * TestServer.MIB;

	private static final int SMALLEST_WINDOW = 65535;

	@EveryVariant
	void aMessageOfTheLargestSizePassesBothWays(Variant variant) throws Exception {
		try (TestServer server = TestServer.echo(variant::apply)) {
			BytesValue message = Messages.ofSize(LIMIT, 1);
			assertThat(message.getSerializedSize()).isEqualTo(LIMIT);
			assertThat(server.blocking().unary(message)).isEqualTo(message);
		}
	}

	@EveryVariant
	void oneByteMoreEndsTheCallAndOnlyTheCall(Variant variant) throws Exception {
		try (TestServer server = TestServer.echo(variant::apply)) {
			assertThatExceptionOfType(StatusRuntimeException.class)
				.isThrownBy(() -> server.blocking().unary(Messages.ofSize(LIMIT + 1, 2)))
				.satisfies((ex) -> {
					assertThat(ex.getStatus().getCode()).isEqualTo(Status.Code.RESOURCE_EXHAUSTED);
					assertThat(ex.getStatus().getDescription()).contains("4194304").contains("4194305");
				});
			BytesValue message = Messages.ofSize(LIMIT, 3);
			assertThat(server.blocking().unary(message)).isEqualTo(message);
		}
	}

	@BothModes
	void theLimitCanBeSet(Mode mode) throws Exception {
		try (TestServer server = TestServer.echo((builder) -> {
			mode.apply(builder);
			builder.maxInboundMessageSize(100);
		})) {
			BytesValue message = Messages.ofSize(100, 4);
			assertThat(server.blocking().unary(message)).isEqualTo(message);
			assertThatExceptionOfType(StatusRuntimeException.class)
				.isThrownBy(() -> server.blocking().unary(Messages.ofSize(101, 5)))
				.satisfies((ex) -> assertThat(ex.getStatus().getCode()).isEqualTo(Status.Code.RESOURCE_EXHAUSTED));
		}
	}

	@EveryVariant
	void aResponseLargerThanTheClientsWindowsArrivesWhole(Variant variant) throws Exception {
		try (TestServer server = TestServer.echo(variant::apply)) {
			ManagedChannel narrow = server.newChannel((builder) -> builder.flowControlWindow(SMALLEST_WINDOW));
			BytesValue message = Messages.ofSize(LIMIT, 6);
			assertThat(EchoGrpc.newBlockingStub(narrow).unary(message)).isEqualTo(message);
		}
	}

	@EveryVariant
	void aRequestLargerThanTheServersWindowArrivesWhole(Variant variant) throws Exception {
		try (TestServer server = TestServer.echo((builder) -> {
			variant.apply(builder);
			builder.flowControlWindow(SMALLEST_WINDOW);
		})) {
			BytesValue message = Messages.ofSize(LIMIT, 7);
			assertThat(server.blocking().unary(message)).isEqualTo(message);
		}
	}

	@EveryVariant
	void manyBigStreamsShareNarrowWindowsBothWays(Variant variant) throws Exception {
		try (TestServer server = TestServer.echo((builder) -> {
			variant.apply(builder);
			builder.flowControlWindow(SMALLEST_WINDOW);
		})) {
			ManagedChannel narrow = server.newChannel((builder) -> builder.flowControlWindow(SMALLEST_WINDOW));
			List<RecordingObserver<BytesValue>> responses = new ArrayList<>();
			List<StreamObserver<BytesValue>> requests = new ArrayList<>();
			for (int i = 0; i < 8; i++) {
				RecordingObserver<BytesValue> observer = new RecordingObserver<>();
				responses.add(observer);
				requests.add(EchoGrpc.newStub(narrow).bidi(observer));
			}
			for (int round = 0; round < 3; round++) {
				for (int i = 0; i < 8; i++) {
					requests.get(i).onNext(Messages.ofSize(200_000 + i, 10 * round + i));
				}
			}
			requests.forEach(StreamObserver::onCompleted);
			for (int i = 0; i < 8; i++) {
				assertThat(responses.get(i).all()).containsExactly(Messages.ofSize(200_000 + i, i),
						Messages.ofSize(200_000 + i, 10 + i), Messages.ofSize(200_000 + i, 20 + i));
			}
		}
	}

	@BothModes
	void manySmallMessagesFollowABigOneInOrder(Mode mode) throws Exception {
		try (TestServer server = TestServer.echo(mode::apply)) {
			ManagedChannel narrow = server.newChannel((builder) -> builder.flowControlWindow(SMALLEST_WINDOW));
			RecordingObserver<BytesValue> responses = new RecordingObserver<>();
			StreamObserver<BytesValue> requests = EchoGrpc.newStub(narrow).bidi(responses);
			List<BytesValue> sent = new ArrayList<>();
			for (int i = 0; i < 5; i++) {
				sent.add(Messages.ofSize(300_000, i));
				for (int k = 0; k < 50; k++) {
					sent.add(Messages.number(100 * i + k));
				}
			}
			sent.forEach(requests::onNext);
			requests.onCompleted();
			assertThat(responses.all()).isEqualTo(sent);
		}
	}

	/**
	 * Case B01 (e): 32 streams, a MiB each, cut anywhere.
	 */
	@EveryVariant
	void parallelStreamsAreEchoedHoweverTcpCutsThem(Variant variant) throws Exception {
		try (TestServer server = TestServer.echo(variant::apply);
				CuttingRelay relay = new CuttingRelay(server.server().getPort())) {
			EchoGrpc.EchoStub stub = EchoGrpc.newStub(server.newChannel(relay.port()));
			Random random = new Random(1);
			List<BytesValue> sent = new ArrayList<>();
			List<RecordingObserver<BytesValue>> received = new ArrayList<>();
			for (int i = 0; i < 32; i++) {
				byte[] content = new byte[TestServer.MIB];
				random.nextBytes(content);
				RecordingObserver<BytesValue> responses = new RecordingObserver<>();
				StreamObserver<BytesValue> requests = stub.bidi(responses);
				sent.add(BytesValue.of(ByteString.copyFrom(content)));
				received.add(responses);
				requests.onNext(sent.get(i));
				requests.onCompleted();
			}
			for (int i = 0; i < 32; i++) {
				List<BytesValue> all = received.get(i).all();
				assertThat(all.size() == 1 && all.get(0).equals(sent.get(i))).as("stream " + i).isTrue();
			}
		}
	}

}
