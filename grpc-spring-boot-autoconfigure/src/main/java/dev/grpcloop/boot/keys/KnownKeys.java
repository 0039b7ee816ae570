package dev.grpcloop.boot.keys;

import java.io.IOException;
import java.io.InputStream;
import java.net.URL;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;

import org.springframework.util.ClassUtils;

/**
 * The keys that the configuration metadata of jars describe: the same that editors offer.
 */
final class KnownKeys {

	private static final Log logger = LogFactory.getLog(KnownKeys.class);

	/**
	 * The name and the type of a property. The processor writes them first and in this
	 * order; a parser of JSON would take a hundred times as long as all else in this
	 * package, and Spring Boot's own understands no indented lists.
	 */
	private static final Pattern PROPERTY = Pattern
		.compile("\\{\\s*\"name\"\\s*:\\s*\"([^\"]+)\"(?:\\s*,\\s*\"type\"\\s*:\\s*\"([^\"]+)\")?");

	private final String prefix;

	/** From the uniform form, without the prefix, to the canonical. */
	private final Map<String, String> keys = new TreeMap<>();

	/** Uniform forms of maps and lists, which have keys that nobody knows before. */
	private final List<String> open = new ArrayList<>();

	private KnownKeys(String prefix) {
		this.prefix = prefix;
	}

	/**
	 * Reads the keys that one jar describes.
	 * @param prefix what the keys begin with, with a dot at the end
	 * @param type the name of a class of that jar
	 * @param classLoader the class loader of the application
	 * @return the keys; none if the jar is not there, or was repackaged and lost its
	 * metadata
	 */
	static KnownKeys of(String prefix, String type, ClassLoader classLoader) {
		if (!ClassUtils.isPresent(type, classLoader)) {
			return new KnownKeys(prefix);
		}
		String path = ClassUtils.convertClassNameToResourcePath(type) + ".class";
		URL location = classLoader.getResource(path);
		// a native image has no class files, and all metadata in one place
		return read(prefix, classLoader, (location != null) ? location.toString().replace(path, "") : "");
	}

	/**
	 * Reads the keys that any jar describes, those of the application too.
	 * @param prefix what the keys begin with, with a dot at the end
	 * @param classLoader the class loader of the application
	 * @return the keys
	 */
	static KnownKeys everywhere(String prefix, ClassLoader classLoader) {
		return read(prefix, classLoader, "");
	}

	private static KnownKeys read(String prefix, ClassLoader classLoader, String root) {
		KnownKeys keys = new KnownKeys(prefix);
		try {
			for (URL url : Collections.list(classLoader.getResources(KeyCheck.METADATA))) {
				if (url.toString().startsWith(root)) {
					keys.addAll(url);
				}
			}
		}
		catch (IOException ex) {
			// no reason not to start: some keys will not be known
			logger.debug("Could not read " + KeyCheck.METADATA, ex);
		}
		return keys;
	}

	private void addAll(URL url) throws IOException {
		String text;
		try (InputStream stream = url.openStream()) {
			text = new String(stream.readAllBytes(), StandardCharsets.UTF_8);
		}
		// groups come before the properties, hints after them
		int begin = text.indexOf("\"properties\"");
		int end = text.indexOf("\"hints\"");
		Matcher property = PROPERTY.matcher(text);
		property.region(Math.max(begin, 0), (end > begin) ? end : text.length());
		while (property.find()) {
			if (property.group(1).startsWith(this.prefix)) {
				add(property.group(1), String.valueOf(property.group(2)));
			}
		}
	}

	private void add(String name, String type) {
		String uniform = Spelling.uniform(name.substring(this.prefix.length()));
		this.keys.put(uniform, name);
		if (type.startsWith("java.util.") || type.endsWith("[]")) {
			this.open.add(uniform + ".");
		}
	}

	String prefix() {
		return this.prefix;
	}

	boolean isEmpty() {
		return this.keys.isEmpty();
	}

	/**
	 * Whether a key is described.
	 * @param tail its uniform form, without the prefix
	 * @return whether it is, or is one of a map or list that is
	 */
	boolean contains(String tail) {
		return this.keys.containsKey(tail) || this.open.stream().anyMatch(tail::startsWith);
	}

	/**
	 * Whether a key is described.
	 * @param uniform its uniform form
	 * @return whether it begins with the prefix and is
	 */
	boolean has(String uniform) {
		return uniform.startsWith(this.prefix) && contains(uniform.substring(this.prefix.length()));
	}

	/**
	 * Whether there are keys below a key.
	 * @param tail its uniform form, without the prefix
	 * @return whether it is the first part of one
	 */
	boolean isGroup(String tail) {
		return this.keys.keySet().stream().anyMatch((key) -> key.startsWith(tail + "."));
	}

	/**
	 * The uniform forms without the prefix.
	 * @return all of them
	 */
	Collection<String> tails() {
		return this.keys.keySet();
	}

	/**
	 * Gives the canonical form of a key.
	 * @param tail its uniform form, without the prefix
	 * @return the key with its prefix
	 * @throws IllegalArgumentException if it is not described
	 */
	String canonical(String tail) {
		String name = this.keys.get(tail);
		if (name == null) {
			throw new IllegalArgumentException(this.prefix + tail);
		}
		return name;
	}

}
