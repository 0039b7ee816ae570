package dev.grpcloop.boot.autoconfigure;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;

import org.springframework.boot.context.properties.source.InvalidConfigurationPropertyValueException;
import org.springframework.util.StringUtils;

/**
 * The address that the properties name.
 */
final class ListenAddress {

	private static final String ANY = "*";

	private ListenAddress() {
	}

	/**
	 * Resolves the address.
	 * @param properties as they were bound
	 * @return one address, or the wildcard
	 * @throws InvalidConfigurationPropertyValueException if the name does not resolve or
	 * the port is out of range
	 */
	static InetSocketAddress of(GrpcServerProperties properties) {
		int port = AllowedValues.inRange(properties.name("port"), properties.getPort(), 0, 65535);
		String address = properties.getAddress();
		if (!StringUtils.hasText(address) || address.equals(ANY)) {
			return new InetSocketAddress(port);
		}
		try {
			return new InetSocketAddress(InetAddress.getByName(address), port);
		}
		catch (UnknownHostException ex) {
			throw AllowedValues.invalid(properties.name("address"), address);
		}
	}

}
