package dev.grpcloop.boot.server;

import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

import dev.grpcloop.boot.testsupport.ChildProcess;
import dev.grpcloop.boot.testsupport.GreeterClient;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * An application that is restarted by devtools again and again (case B51).
 */
class DevtoolsRestartTests {

	private static final int RESTARTS = 5;

	/** Spring's caches are soft. */
	private static final String COLLECT_SOFT_REFERENCES = "-XX:SoftRefLRUPolicyMSPerMB=0";

	@TempDir
	private Path folder;

	/**
	 * Devtools load again what lies in folders, and what they are told to; the server's
	 * classes are among it where they are under development with the application.
	 */
	@ParameterizedTest
	@CsvSource({ "the engine stays, exclude", "the engine is loaded again, include" })
	void everyRestartServesOnTheSamePortAndLeavesNothingBehind(String name, String filter) throws Exception {
		int port = freePort();
		Files.createDirectory(this.folder.resolve("META-INF"));
		Files.writeString(this.folder.resolve("META-INF/spring-devtools.properties"), "restart." + filter
				+ ".loop=/grpc-(engine|spring-boot-autoconfigure)(/target/classes/|-[^/]*\\\\.jar)\n");
		change(0);
		try (ChildProcess application = ChildProcess.start(DevtoolsApplication.class,
				List.of(COLLECT_SOFT_REFERENCES, "-Dspring.devtools.restart.poll-interval=100ms",
						"-Dspring.devtools.restart.quiet-period=50ms", "-Dgrpc.server.port=" + port),
				List.of(), this.folder)) {
			for (int start = 1; start <= 1 + RESTARTS; start++) {
				assertThat(application.await("READY", start)).isEqualTo(String.valueOf(port));
				try (GreeterClient client = new GreeterClient("127.0.0.1", port)) {
					assertThat(client.hello("Ada")).isEqualTo("Hello Ada");
				}
				if (start <= RESTARTS) {
					change(start);
				}
			}
			assertThat(application.await("LOADER")).isEqualTo("RestartClassLoader");
			assertThat(application.await("THREADS", 1 + RESTARTS)).matches("\\[grpc-loop-[0-9]+-1, grpc-server-await]");
			// threads of the restart itself come and go; one of ours for each would be
			// too many
			assertThat(Integer.parseInt(application.await("COUNT", 1 + RESTARTS)))
				.isLessThan(Integer.parseInt(application.await("COUNT", 2)) + RESTARTS - 1);
			Awaitility.await()
				.atMost(Duration.ofSeconds(60))
				.untilAsserted(() -> assertThat(restartClassLoaders(application)).isLessThanOrEqualTo(2));
		}
	}

	private void change(int number) throws Exception {
		Files.writeString(this.folder.resolve("changed.txt"), "changed ".repeat(1 + number));
	}

	/**
	 * Those that are left after a garbage collection. Devtools may still hold the one
	 * before.
	 */
	private static long restartClassLoaders(ChildProcess application) throws Exception {
		diagnose(application, "GC.run");
		return diagnose(application, "VM.classloader_stats").lines()
			.filter((line) -> line.contains("RestartClassLoader"))
			.count();
	}

	private static String diagnose(ChildProcess application, String command) throws Exception {
		Process jcmd = new ProcessBuilder(Path.of(System.getProperty("java.home"), "bin", "jcmd").toString(),
				String.valueOf(application.pid()), command)
			.redirectErrorStream(true)
			.start();
		String output = new String(jcmd.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
		assertThat(jcmd.waitFor()).as(output).isZero();
		return output;
	}

	private static int freePort() throws Exception {
		try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getByName("127.0.0.1"))) {
			return socket.getLocalPort();
		}
	}

}
