package dev.grpcloop.boot.server;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.util.Locale;

import org.springframework.boot.diagnostics.FailureAnalyzedException;

/**
 * What to say when the server cannot listen.
 */
final class BindFailure {

	private BindFailure() {
	}

	static FailureAnalyzedException of(SocketAddress address, ServerMode mode, IOException ex) {
		String portProperty = mode.property("port");
		String addressProperty = mode.property("address");
		String messages = messages(ex);
		String where = ServerAddress.format(address);
		String port = (address instanceof InetSocketAddress inet) ? String.valueOf(inet.getPort()) : where;
		if (messages.contains("in use")) {
			return new FailureAnalyzedException(
					"The gRPC server could not listen on " + where + ": port " + port + " is already in use.",
					"Stop the process that listens on port " + port + ", or set " + portProperty
							+ " to another port (0 takes a free one).",
					ex);
		}
		if (messages.contains("cannot assign") || messages.contains("can't assign")
				|| messages.contains("not available")) {
			return new FailureAnalyzedException(
					"The gRPC server could not listen on " + where + ": that is not an address of this machine.",
					"Set " + addressProperty
							+ " to an address of this machine, or leave it out to listen on all of them.",
					ex);
		}
		if (messages.contains("permission denied")) {
			return new FailureAnalyzedException(
					"The gRPC server could not listen on " + where + ": the operating system does not permit it.",
					"Set " + portProperty + " to a port that the application may use, usually one from 1024 on.", ex);
		}
		return new FailureAnalyzedException("The gRPC server could not listen on " + where + ": " + ex.getMessage(),
				"Check " + addressProperty + " and " + portProperty + ".", ex);
	}

	private static String messages(Throwable ex) {
		StringBuilder messages = new StringBuilder();
		for (Throwable cause = ex; cause != null; cause = cause.getCause()) {
			messages.append(cause.getMessage()).append('\n');
		}
		return messages.toString().toLowerCase(Locale.ROOT);
	}

}
