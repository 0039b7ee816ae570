package dev.grpcloop.boot.testsupport;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

import com.jayway.jsonpath.JsonPath;
import dev.grpcloop.boot.autoconfigure.GrpcServerProperties;
import org.jspecify.annotations.Nullable;

import org.springframework.core.io.UrlResource;

/**
 * The configuration metadata of our jar, which the annotation processor has written.
 */
public final class Metadata {

	private static final String PREFIX = "grpc.server.";

	private Metadata() {
	}

	/**
	 * Lists the properties of the server in the order of their names.
	 * @return the properties
	 */
	public static List<Property> properties() {
		return read("$.properties").stream()
			.filter(Metadata::isServers)
			.map((property) -> new Property((String) property.get("name"), (String) property.get("type"),
					(String) property.get("description"), property.get("defaultValue")))
			.sorted((one, other) -> one.name().compareTo(other.name()))
			.toList();
	}

	/**
	 * Lists the classes that properties are bound to, by their prefix.
	 * @return the classes with {@code @ConfigurationProperties}
	 */
	public static Map<String, String> roots() {
		return read("$.groups[?(@.type == @.sourceType)]").stream()
			.collect(Collectors.toMap((group) -> (String) group.get("name"), (group) -> (String) group.get("type")));
	}

	/**
	 * Lists the values that editors offer, by the name of their property.
	 * @return the values
	 */
	public static Map<String, List<String>> hints() {
		return read("$.hints").stream()
			.filter(Metadata::isServers)
			.collect(Collectors.toMap((hint) -> (String) hint.get("name"),
					(hint) -> JsonPath.read(hint, "$.values[*].value")));
	}

	private static boolean isServers(Map<String, Object> named) {
		return ((String) named.get("name")).startsWith(PREFIX);
	}

	private static List<Map<String, Object>> read(String path) {
		String location = GrpcServerProperties.class.getProtectionDomain().getCodeSource().getLocation()
				+ "META-INF/spring-configuration-metadata.json";
		try (InputStream stream = new UrlResource(location).getInputStream()) {
			return JsonPath.<List<Map<String, Object>>>read(stream, path);
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	/**
	 * A property as editors show it.
	 *
	 * @param name the whole name
	 * @param type the name of its Java type
	 * @param description the Javadoc of its field
	 * @param defaultValue its default if that is a constant
	 */
	public record Property(String name, String type, @Nullable String description, @Nullable Object defaultValue) {

		/**
		 * Returns the name without {@code grpc.server.}.
		 * @return what follows the prefix
		 */
		public String key() {
			return this.name.substring(PREFIX.length());
		}

	}

}
