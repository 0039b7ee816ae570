package dev.grpcloop.boot.server;

import java.net.Inet6Address;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.util.List;

/**
 * Addresses as people write them.
 */
final class ServerAddress {

	private ServerAddress() {
	}

	static String format(List<? extends SocketAddress> addresses) {
		return String.join(", ", list(addresses));
	}

	static List<String> list(List<? extends SocketAddress> addresses) {
		return addresses.stream().map(ServerAddress::format).toList();
	}

	static String format(SocketAddress address) {
		if (address instanceof InetSocketAddress inet) {
			return host(inet) + ":" + inet.getPort();
		}
		return address.toString();
	}

	static String formatHost(SocketAddress address) {
		return (address instanceof InetSocketAddress inet) ? host(inet) : address.toString();
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
