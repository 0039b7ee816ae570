package dev.grpcloop.boot.server;

import java.io.IOException;
import java.net.Socket;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

import dev.grpcloop.boot.testsupport.ChildProcess;
import dev.grpcloop.boot.testsupport.GreeterClient;
import io.grpc.StatusRuntimeException;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * When the process of an application without a web server ends, and how (case B51).
 */
@DisabledOnOs(value = OS.WINDOWS, disabledReason = "there is no SIGTERM")
class ProcessLifecycleTests {

	/** 128 and the number of SIGTERM. */
	private static final int TERMINATED = 143;

	private static final String WITHOUT_DEVTOOLS = "-Dspring.devtools.restart.enabled=false";

	@Test
	void theApplicationStaysUpAfterMainUntilItsContextIsClosed() throws Exception {
		try (ChildProcess application = start()) {
			int port = Integer.parseInt(application.await("STARTED"));
			application.await("RETURNED");
			try (GreeterClient client = new GreeterClient("127.0.0.1", port)) {
				assertThat(client.hello("Ada")).isEqualTo("Hello Ada");
			}
			application.tell("close");
			assertThat(application.exitCode()).isZero();
			assertThat(application.output()).containsSubsequence("RETURNED", "CLOSES", "STOPS", "STOPPED");
		}
	}

	@Test
	void sigtermLetsACallFinishAndRefusesFurtherOnes() throws Exception {
		try (ChildProcess application = start()) {
			int port = Integer.parseInt(application.await("STARTED"));
			try (GreeterClient client = new GreeterClient("127.0.0.1", port)) {
				CompletableFuture<String> answer = client.helloLater(ChildApplication.SLOW);
				application.await("CALLED");
				application.terminate();
				application.await("STOPS");
				assertRefusesConnections(port);
				assertThat(answer).isNotDone();
				application.tell("go");
				assertThat(answer.get(30, TimeUnit.SECONDS)).isEqualTo("Hello slow");
			}
			assertThat(application.exitCode()).isEqualTo(TERMINATED);
			assertThat(application.output()).contains("STOPPED");
		}
	}

	@Test
	void sigtermEndsACallThatOutlivesTheGracePeriod() throws Exception {
		try (ChildProcess application = start("grpc.server.shutdown.grace-period=50ms")) {
			int port = Integer.parseInt(application.await("STARTED"));
			try (GreeterClient client = new GreeterClient("127.0.0.1", port)) {
				CompletableFuture<String> answer = client.helloLater(ChildApplication.SLOW);
				application.await("CALLED");
				application.terminate();
				assertThatExceptionOfType(ExecutionException.class).isThrownBy(() -> answer.get(30, TimeUnit.SECONDS))
					.withCauseInstanceOf(StatusRuntimeException.class);
			}
			assertThat(application.exitCode()).isEqualTo(TERMINATED);
		}
	}

	@Test
	void aSignalDuringTheStartStopsTheServerWhenTheStartIsDone() throws Exception {
		try (ChildProcess application = start(ChildApplication.SLOW_START + "=true")) {
			int port = Integer.parseInt(application.await("STARTED"));
			application.await("STARTING");
			application.terminate();
			try (GreeterClient client = new GreeterClient("127.0.0.1", port)) {
				assertThat(client.hello("Ada")).isEqualTo("Hello Ada");
			}
			application.tell("go");
			assertThat(application.exitCode()).isEqualTo(TERMINATED);
			assertThat(application.output()).contains("STOPPED");
		}
	}

	/** For training runs of class-data archives. */
	@Test
	void anApplicationThatIsToExitOnRefreshExits() throws Exception {
		try (ChildProcess application = ChildProcess.start(ChildApplication.class,
				List.of(WITHOUT_DEVTOOLS, "-Dspring.context.exit=onRefresh"), List.of())) {
			assertThat(application.exitCode()).isZero();
			assertThat(application.output()).doesNotContain("STARTED");
		}
	}

	private static ChildProcess start(String... properties) {
		return ChildProcess.start(ChildApplication.class, List.of(WITHOUT_DEVTOOLS),
				Stream.concat(Stream.of("grpc.server.executor.mode=platform"), Stream.of(properties)).toList());
	}

	private static void assertRefusesConnections(int port) {
		Awaitility.await().untilAsserted(() -> assertThatExceptionOfType(IOException.class).isThrownBy(() -> {
			try (Socket socket = new Socket("127.0.0.1", port)) {
				assertThat(socket.isConnected()).isTrue();
			}
		}));
	}

}
