package dev.grpcloop.interop;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;

import io.grpc.testing.integration.TestServiceClient;

/**
 * Runs in a virtual machine with the client's own class path, where nothing else of this
 * module is used: hands each line of the input to the client as its command line.
 */
final class TestServiceClientMain {

	private TestServiceClientMain() {
	}

	public static void main(String[] args) throws IOException {
		BufferedReader input = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
		String line;
		while ((line = input.readLine()) != null) {
			System.out.println(run(line.split(" ")));
			System.out.flush();
		}
		System.exit(0);
	}

	private static String run(String[] commandLine) {
		try {
			TestServiceClient.main(commandLine);
			return ClientProcess.PASSED;
		}
		catch (Throwable ex) {
			ex.printStackTrace();
			System.err.flush();
			return ClientProcess.FAILED;
		}
	}

}
