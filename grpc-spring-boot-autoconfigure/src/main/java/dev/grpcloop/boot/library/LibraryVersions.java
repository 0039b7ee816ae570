package dev.grpcloop.boot.library;

import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;

import io.netty.util.Version;

import org.springframework.util.ClassUtils;

/**
 * The versions of the jars of Netty and of grpc-java, as far as they say them: an
 * application that was packed into a single jar may have lost that.
 */
public final class LibraryVersions {

	/** Not released with the rest of Netty. */
	private static final String TLS_NATIVES = "netty-tcnative";

	/** A class of each jar whose package is in no other. */
	private static final Map<String, String> GRPC_JARS = Map.of("grpc-api", "io.grpc.ServiceDescriptor", "grpc-stub",
			"io.grpc.stub.StreamObserver", "grpc-protobuf", "io.grpc.protobuf.ProtoUtils", "grpc-protobuf-lite",
			"io.grpc.protobuf.lite.ProtoLiteUtils", "grpc-core", "io.grpc.internal.GrpcUtil", "grpc-services",
			"io.grpc.protobuf.services.HealthStatusManager", "grpc-inprocess",
			"io.grpc.inprocess.InProcessServerBuilder");

	private LibraryVersions() {
	}

	/**
	 * Returns one version for each library, ours too.
	 * @param classLoader where they are
	 * @return those that are known, by the name of the library
	 */
	public static Map<String, String> ofLibraries(ClassLoader classLoader) {
		Map<String, String> versions = new TreeMap<>();
		putFirst(versions, "grpcloop",
				Stream.ofNullable(LibraryVersions.class.getPackage().getImplementationVersion()));
		putFirst(versions, "grpc-java", ofGrpc(classLoader).values().stream());
		putFirst(versions, "netty", ofNetty(classLoader).values().stream());
		return versions;
	}

	private static void putFirst(Map<String, String> versions, String library, Stream<String> found) {
		found.findFirst().ifPresent((version) -> versions.put(library, version));
	}

	/**
	 * Returns the versions of Netty's jars.
	 * @param classLoader where they are
	 * @return the version of each jar
	 */
	static Map<String, String> ofNetty(ClassLoader classLoader) {
		Map<String, String> versions = new TreeMap<>();
		Version.identify(classLoader).forEach((jar, version) -> {
			if (!jar.startsWith(TLS_NATIVES)) {
				versions.put(jar, version.artifactVersion());
			}
		});
		return versions;
	}

	/**
	 * Returns the versions of grpc-java's jars.
	 * @param classLoader where they are
	 * @return the version of each jar
	 */
	static Map<String, String> ofGrpc(ClassLoader classLoader) {
		Map<String, String> versions = new TreeMap<>();
		GRPC_JARS.forEach((jar, className) -> {
			if (ClassUtils.isPresent(className, classLoader)) {
				String version = ClassUtils.resolveClassName(className, classLoader)
					.getPackage()
					.getImplementationVersion();
				if (version != null) {
					versions.put(jar, version);
				}
			}
		});
		return versions;
	}

}
