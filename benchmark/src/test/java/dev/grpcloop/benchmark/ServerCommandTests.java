package dev.grpcloop.benchmark;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;

class ServerCommandTests {

	@TempDir
	Path folder;

	@Test
	void runsTheRivalOnceAndOursOnEachBackend() throws IOException {
		List<ServerCommand> commands = ServerCommand
			.of(options("--servers", "grpc-java,event-loop,engine", "--backend", "nio,epoll"));
		assertThat(commands).extracting(ServerCommand::label)
			.containsExactly("grpc-java", "event-loop/nio", "event-loop/epoll", "engine/nio", "engine/epoll");
		assertThat(commands.get(1).onPort(5000)).contains("--grpc.server.backend=nio", "--grpc.server.port=5000");
		assertThat(commands.get(4).onPort(5000)).endsWith("engine", "5000", "epoll");
	}

	@Test
	void leavesTheDefaultModeToTheSampleApplication() throws IOException {
		List<ServerCommand> commands = ServerCommand.of(options("--servers", "event-loop,default"));
		assertThat(commands.get(0).onPort(5000)).contains("--grpc.server.executor.mode=event-loop");
		assertThat(commands.get(1).onPort(5000)).noneMatch((argument) -> argument.contains("executor"));
	}

	private Options options(String... arguments) throws IOException {
		Options options = Options.parse(arguments);
		options.sampleJar = Files.createFile(this.folder.resolve("sample-app.jar"));
		return options;
	}

}
