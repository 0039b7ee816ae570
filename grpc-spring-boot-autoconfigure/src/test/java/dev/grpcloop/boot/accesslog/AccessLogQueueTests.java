package dev.grpcloop.boot.accesslog;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;

import dev.grpcloop.boot.accesslog.CallRecord.Messages;
import io.grpc.Status;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * What waits to be written.
 */
@Timeout(60)
@ExtendWith(OutputCaptureExtension.class)
class AccessLogQueueTests {

	private final List<String> written = new CopyOnWriteArrayList<>();

	private final CountDownLatch open = new CountDownLatch(1);

	@Test
	void theQueueIsBoundedAndWhoAddsDoesNotWait(CapturedOutput output) {
		AccessLogQueue queue = new AccessLogQueue(3, this::slowly);
		queue.add(call("first"));
		Awaitility.await().until(() -> this.written.size() == 1);
		for (int i = 0; i < 10; i++) {
			queue.add(call("waits" + i));
		}
		assertThat(queue.dropped().getAsLong()).isEqualTo(7);
		this.open.countDown();
		Awaitility.await()
			.untilAsserted(() -> assertThat(this.written).containsExactly("first", "waits0", "waits1", "waits2"));
		Awaitility.await()
			.untilAsserted(() -> assertThat(output).contains("7 calls are missing in the access log")
				.contains("grpc.server.access-log.queue-capacity"));
		queue.add(call("last"));
		Awaitility.await().until(() -> this.written.contains("last"));
		queue.close();
		assertThat(output.getOut().split("are missing in the access log")).hasSize(2);
	}

	@Test
	void allThatWaitsIsWrittenAtTheEnd() {
		AccessLogQueue queue = new AccessLogQueue(1000, (call) -> this.written.add(call.method()));
		for (int i = 0; i < 1000; i++) {
			queue.add(call("call" + i));
		}
		queue.close();
		assertThat(this.written).hasSize((int) (1000 - queue.dropped().getAsLong())).startsWith("call0");
		assertThat(queue.dropped().getAsLong()).isZero();
		queue.add(call("late"));
		assertThat(queue.dropped().getAsLong()).isOne();
	}

	@Test
	void anAppenderThatFailsEndsNothing() {
		AccessLogQueue queue = new AccessLogQueue(10, (call) -> {
			if (call.method().equals("bad")) {
				throw new IllegalStateException("no space left");
			}
			this.written.add(call.method());
		});
		queue.add(call("bad"));
		queue.add(call("good"));
		queue.close();
		assertThat(this.written).containsExactly("good");
		assertThat(queue.dropped().getAsLong()).isOne();
	}

	private void slowly(CallRecord call) {
		this.written.add(call.method());
		try {
			this.open.await();
		}
		catch (InterruptedException ex) {
			throw new IllegalStateException(ex);
		}
	}

	private static CallRecord call(String method) {
		Messages none = new Messages(0, 0);
		return new CallRecord(method, Status.Code.OK, 0, 0, none, none, null, null, null);
	}

}
