package dev.grpcloop.benchmark;

import java.nio.file.Path;
import java.time.Duration;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

class OptionsTests {

	@Test
	void measuresEverythingByDefault() {
		Options options = Options.parse();
		assertThat(options.cases).extracting(LoadCase::shape)
			.containsExactly("1x1", "1x10", "10x1", "10x10", "100x1", "100x10");
		assertThat(options.servers).containsExactly(ServerKind.GRPC_JAVA, ServerKind.EVENT_LOOP, ServerKind.DEFAULT);
		assertThat(options.backends).containsExactly("auto");
		assertThat(options.duration).isEqualTo(Duration.ofSeconds(3));
		assertThat(options.rounds).isEqualTo(3);
		assertThat(options.warmUp).isEqualTo(Duration.ofSeconds(15));
		assertThat(options.java).isExecutable();
	}

	@Test
	void takesWhatIsAskedFor() {
		Path java = Path.of(System.getProperty("java.home"));
		Options options = Options.parse("--cases", "3b, 2b", "--servers", "engine,grpc-java", "--backend",
				"nio,epoll,io_uring", "--duration", "500ms", "--rounds", "5", "--warm-up", "20s", "--port", "50000",
				"--java", java.toString());
		assertThat(options.cases).extracting(LoadCase::id).containsExactly("3b", "2b");
		assertThat(options.servers).containsExactly(ServerKind.ENGINE, ServerKind.GRPC_JAVA);
		assertThat(options.backends).containsExactly("nio", "epoll", "io_uring");
		assertThat(options.duration).isEqualTo(Duration.ofMillis(500));
		assertThat(options.rounds).isEqualTo(5);
		assertThat(options.warmUp).isEqualTo(Duration.ofSeconds(20));
		assertThat(options.port).isEqualTo(50000);
		assertThat(options.java).isEqualTo(java.resolve("bin/java"));
	}

	@Test
	void quickTakesLessTime() {
		Options options = Options.parse("--quick");
		assertThat(options.duration).isLessThan(Options.parse().duration);
		assertThat(options.warmUp).isLessThan(Options.parse().warmUp);
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|',
			textBlock = """
					--cases       | 4c        | There is no case '4c'; there are 1a, 1b, 2a, 2b, 3a, 3b
					--servers     | tomcat    | There is no server 'tomcat'; there are grpc-java, event-loop, default, engine
					--backend     | iocp      | There is no backend 'iocp'; there are auto, nio, epoll, io_uring
					--duration    | 3 minutes | --duration is '3 minutes'; it must be a time such as 3s or 500ms
					--warm-up     | 0s        | --warm-up is '0s'; it must be a time such as 3s or 500ms
					--rounds      | none      | --rounds is 'none'; it must be a number from 1 to 1000
					--port        | 65536     | --port is '65536'; it must be a number from 0 to 65535
					--java        | /nowhere  | No java command at /nowhere; --java takes the folder of a JDK, or its java command
					--sample-jar  | /nowhere  | --sample-jar is '/nowhere', which is not a file
					""")
	void saysWhatIsAllowed(String option, String value, String message) {
		assertThatExceptionOfType(InvalidOptionException.class).isThrownBy(() -> Options.parse(option, value))
			.withMessage(message);
	}

	@Test
	void showsItsUsageForAnUnknownOption() {
		assertThatExceptionOfType(InvalidOptionException.class).isThrownBy(() -> Options.parse("--fast"))
			.withMessageContaining("--fast")
			.withMessageContaining(Options.USAGE);
		assertThatExceptionOfType(InvalidOptionException.class).isThrownBy(() -> Options.parse("--speed", "9"))
			.withMessageContaining("--speed")
			.withMessageContaining(Options.USAGE);
	}

}
