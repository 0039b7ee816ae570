package dev.grpcloop.boot.server;

import java.util.List;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;

import org.springframework.boot.context.properties.source.ConfigurationPropertyName;
import org.springframework.util.ClassUtils;

/**
 * Whether Spring Boot's own gRPC server module is there too, and under which name a
 * property is read therefore.
 */
public enum ServerMode {

	/** All properties begin with {@code grpc.server}. */
	ALONE,

	/**
	 * {@code spring-boot-grpc-server} is on the class path, and this server takes the
	 * place of the one that it would start. What Spring Boot has a property for is read
	 * under Spring Boot's name, {@code spring.grpc.server}, the rest under
	 * {@code grpc.server}.
	 */
	BESIDE_SPRING_BOOT;

	/** A class of {@code spring-boot-grpc-server}. */
	public static final String SPRING_BOOT_CLASS = "org.springframework.boot.grpc.server.autoconfigure.GrpcServerAutoConfiguration";

	/** The prefix of our properties. */
	public static final String PREFIX = "grpc.server";

	/** The prefix of Spring Boot's properties. */
	public static final String SPRING_BOOT_PREFIX = "spring.grpc.server";

	/**
	 * The keys of Spring Boot, and groups of keys of which all are. {@code enabled} is
	 * not among them: each of the two prefixes has a switch of its own.
	 */
	private static final List<ConfigurationPropertyName> SPRING_BOOT_KEYS = Stream
		.of("port", "address", "shutdown.grace-period", "inbound.message", "inbound.metadata", "inprocess", "keepalive",
				"ssl", "netty", "servlet", "factory", "health", "reflection", "observation.enabled", "security")
		.map(ConfigurationPropertyName::of)
		.toList();

	/**
	 * Looks for Spring Boot's module.
	 * @param classLoader where to look
	 * @return the mode of an application with these classes
	 */
	public static ServerMode of(@Nullable ClassLoader classLoader) {
		return ClassUtils.isPresent(SPRING_BOOT_CLASS, classLoader) ? BESIDE_SPRING_BOOT : ALONE;
	}

	/**
	 * Returns the name under which a property is read.
	 * @param key what follows the prefix, in canonical form, such as
	 * {@code keepalive.time}
	 * @return the whole name
	 */
	public String property(String key) {
		boolean springBoots = this == BESIDE_SPRING_BOOT && isSpringBoots(ConfigurationPropertyName.of(key));
		return (springBoots ? SPRING_BOOT_PREFIX : PREFIX) + "." + key;
	}

	/**
	 * Says whether Spring Boot has a property.
	 * @param key what follows the prefix
	 * @return whether it is one of Spring Boot's, or in a group of such
	 */
	public static boolean isSpringBoots(ConfigurationPropertyName key) {
		return SPRING_BOOT_KEYS.stream()
			.anyMatch((springBoots) -> springBoots.equals(key) || springBoots.isAncestorOf(key));
	}

	/**
	 * Says whether a name may lead to properties of Spring Boot.
	 * @param key what follows the prefix
	 * @return whether it is one of Spring Boot's, in a group of such, or has some below
	 */
	public static boolean leadsToSpringBoots(ConfigurationPropertyName key) {
		return isSpringBoots(key) || SPRING_BOOT_KEYS.stream().anyMatch(key::isAncestorOf);
	}

}
