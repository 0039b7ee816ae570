package dev.grpcloop.boot.server;

import java.net.Inet6Address;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.util.List;
import java.util.stream.Collectors;

/**
 * Addresses as people write them.
 */
final class ServerAddress {

	private ServerAddress() {
	}

	static String format(List<? extends SocketAddress> addresses) {
		return addresses.stream().map(ServerAddress::format).collect(Collectors.joining(", "));
	}

	static String format(SocketAddress address) {
		if (address instanceof InetSocketAddress inet) {
			return host(inet) + ":" + inet.getPort();
		}
		return address.toString();
	}

	private static String host(InetSocketAddress address) {
		if (address.getAddress() == null) {
			return address.getHostString();
		}
		if (address.getAddress().isAnyLocalAddress()) {
			return "*";
		}
		String host = address.getAddress().getHostAddress();
		return (address.getAddress() instanceof Inet6Address) ? "[" + host + "]" : host;
	}

}
