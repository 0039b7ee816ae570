package dev.grpcloop.engine;

import java.net.InetAddress;
import java.net.Socket;
import java.util.ArrayList;
import java.util.List;

import com.google.protobuf.BytesValue;
import dev.grpcloop.engine.testproto.EchoGrpc;
import io.grpc.stub.StreamObserver;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * More connections than there is memory for: those that do nothing go.
 */
class ManyConnectionsTests {

	/** With a limit of 1 MiB the connections may cost twice as much, at 8 KiB each. */
	private static final int MOST_CONNECTIONS = 256;

	private static final int SILENT = 300;

	@EveryVariant
	void silentConnectionsMakeRoomForThoseThatWork(Variant variant) throws Exception {
		RecordingTelemetry telemetry = new RecordingTelemetry();
		List<Socket> silent = new ArrayList<>();
		try (TestServer server = TestServer.echo((builder) -> {
			variant.apply(builder);
			builder.telemetry(telemetry).maxBufferedBytes(TestServer.MIB);
		})) {
			RecordingObserver<BytesValue> responses = new RecordingObserver<>();
			StreamObserver<BytesValue> requests = server.async().bidi(responses);
			requests.onNext(Messages.number(1));
			assertThat(responses.next()).isEqualTo(Messages.number(1));
			for (int i = 0; i < SILENT; i++) {
				silent.add(new Socket(InetAddress.getLoopbackAddress(), server.server().getPort()));
			}
			Eventually.until("those that are too many are closed", () -> telemetry.connectionsOpened.get() == SILENT + 1
					&& telemetry.connectionsClosed.get() == SILENT + 1 - MOST_CONNECTIONS);
			EchoGrpc.EchoBlockingStub late = EchoGrpc.newBlockingStub(server.newChannel((channel) -> channel));
			for (int i = 0; i < 20; i++) {
				assertThat(late.unary(Messages.ofSize(30_000, i))).isEqualTo(Messages.ofSize(30_000, i));
			}
			requests.onNext(Messages.number(2));
			assertThat(responses.next()).isEqualTo(Messages.number(2));
			requests.onCompleted();
			responses.end();
		}
		finally {
			for (Socket socket : silent) {
				socket.close();
			}
		}
	}

}
