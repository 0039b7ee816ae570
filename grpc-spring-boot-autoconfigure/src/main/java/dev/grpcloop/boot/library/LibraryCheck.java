package dev.grpcloop.boot.library;

import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;

import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

import org.springframework.beans.factory.config.BeanFactoryPostProcessor;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.diagnostics.FailureAnalyzedException;
import org.springframework.util.ClassUtils;

/**
 * Looks at the versions of Netty and grpc-java before any bean of the server is made, so
 * that a version which the application has pinned is named at the start and is not a
 * {@code NoSuchMethodError} in the middle of a connection: what the server cannot do
 * without stops the start, jars of different releases are named in a warning.
 */
public final class LibraryCheck implements BeanFactoryPostProcessor {

	/** What the engine is built and tested with. */
	static final String NETTY_VERSION = "4.2.18.Final";

	private static final Log logger = LogFactory.getLog(LibraryCheck.class);

	/** The newest of what the engine uses of Netty. */
	private static final List<RequiredConstructor> REQUIRED = List.of(
			new RequiredConstructor("io.netty.channel.MultiThreadIoEventLoopGroup",
					List.of("int", "java.util.concurrent.ThreadFactory", "io.netty.channel.IoHandlerFactory")),
			new RequiredConstructor("io.netty.handler.codec.http2.DefaultHttp2FrameReader",
					List.of("io.netty.handler.codec.http2.Http2HeadersDecoder", "int")));

	private final List<RequiredConstructor> required;

	/**
	 * A check of what the engine needs.
	 */
	public LibraryCheck() {
		this(REQUIRED);
	}

	LibraryCheck(List<RequiredConstructor> required) {
		this.required = required;
	}

	/**
	 * Checks the class path of the bean factory.
	 * @param beanFactory has the class loader
	 * @throws FailureAnalyzedException if Netty is too old
	 */
	@Override
	public void postProcessBeanFactory(ConfigurableListableBeanFactory beanFactory) {
		ClassLoader classLoader = beanFactory.getBeanClassLoader();
		check((classLoader != null) ? classLoader : ClassUtils.getDefaultClassLoader());
	}

	private void check(@Nullable ClassLoader classLoader) {
		if (classLoader == null) {
			return;
		}
		Map<String, String> netty = LibraryVersions.ofNetty(classLoader);
		for (RequiredConstructor constructor : this.required) {
			if (!constructor.isPresent(classLoader)) {
				throw tooOld(constructor, netty);
			}
		}
		warnOfMixture("Netty", "io.netty", "netty.version", netty);
		warnOfMixture("grpc-java", "io.grpc", "grpc-java.version", LibraryVersions.ofGrpc(classLoader));
	}

	private static FailureAnalyzedException tooOld(RequiredConstructor missing, Map<String, String> netty) {
		String found = netty.isEmpty() ? "it does not say its version" : byVersion(netty);
		return new FailureAnalyzedException(
				"Netty on the class path is too old for the gRPC server (" + found + "): it lacks " + missing
						+ ". The server is made for Netty " + NETTY_VERSION + ".",
				"Use Netty " + NETTY_VERSION + " or a newer 4.2, for all its jars: with Spring Boot's dependency "
						+ "management, set the property netty.version. "
						+ "'mvn dependency:tree -Dincludes=io.netty' or 'gradle dependencies' tells where the old one comes from.");
	}

	static void warnOfMixture(String library, String group, String property, Map<String, String> versions) {
		if (new HashSet<>(versions.values()).size() > 1) {
			logger.warn("The jars of " + library + " are of different versions, which is not tested and may fail in "
					+ "the middle of a call: " + byVersion(versions)
					+ ". Let all have one version: with Spring Boot's dependency management, set the property "
					+ property + " and no version of " + group + " beside it.");
		}
	}

	private static String byVersion(Map<String, String> versions) {
		Map<String, TreeSet<String>> jars = new TreeMap<>();
		versions.forEach((jar, version) -> jars.computeIfAbsent(version, (key) -> new TreeSet<>()).add(jar));
		StringBuilder text = new StringBuilder();
		jars.forEach((version, names) -> {
			text.append(text.isEmpty() ? "" : "; ").append(version).append(" of ").append(String.join(", ", names));
		});
		return text.toString();
	}

}
