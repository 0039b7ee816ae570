package dev.grpcloop.engine;

import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.TimeUnit;

import com.google.protobuf.BytesValue;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * A peer that asks and never reads (case B37 a).
 */
class UnreadAnswersTests {

	private static final int PING_LENGTH = 17;

	private static final int PINGS_IN_ONE_WRITE = 4096;

	private static final int SMALL_BUFFER = 4096;

	/** Far more than two socket buffers and the limit hold. */
	private static final int MOST_WRITES = 1024;

	@Test
	void aPeerThatDoesNotReadItsPingsIsCutOffAndOthersAreServed() throws Exception {
		try (TestServer server = TestServer.echo((builder) -> builder.permitKeepAliveTime(0, TimeUnit.SECONDS)
			.permitKeepAliveWithoutCalls(true)
			.maxBufferedBytes(TestServer.MIB))) {
			try (Socket socket = new Socket()) {
				socket.setReceiveBufferSize(SMALL_BUFFER);
				socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), server.server().getPort()));
				OutputStream out = socket.getOutputStream();
				out.write("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
				out.write(new byte[] { 0, 0, 0, 4, 0, 0, 0, 0, 0 });
				assertThat(writesUntilCutOff(out)).isLessThan(MOST_WRITES);
			}
			assertThat(server.blocking().unary(BytesValue.getDefaultInstance()))
				.isEqualTo(BytesValue.getDefaultInstance());
		}
	}

	private static int writesUntilCutOff(OutputStream out) {
		ByteBuffer pings = ByteBuffer.allocate(PINGS_IN_ONE_WRITE * PING_LENGTH);
		while (pings.hasRemaining()) {
			pings.put(new byte[] { 0, 0, 8, 6, 0, 0, 0, 0, 0 }).putLong(pings.position());
		}
		int writes = 0;
		try {
			while (writes < MOST_WRITES) {
				out.write(pings.array());
				writes++;
			}
		}
		catch (IOException ex) {
			// cut off
		}
		return writes;
	}

}
