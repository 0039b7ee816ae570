package dev.grpcloop.boot.keys;

import org.springframework.boot.origin.Origin;
import org.springframework.boot.origin.OriginLookup;
import org.springframework.core.env.EnumerablePropertySource;

/**
 * A key that somebody wrote.
 *
 * @param name as it was written
 * @param uniform its {@link Spelling#uniform(String) uniform} form
 * @param source the property source that has it
 */
record SetKey(String name, String uniform, EnumerablePropertySource<?> source) {

	/**
	 * Whether nothing was written after the key, as when all lines below it in a YAML
	 * file are comments.
	 * @return whether its value is empty
	 */
	boolean isEmpty() {
		Object value = this.source.getProperty(this.name);
		return value == null || value.toString().isBlank();
	}

	/** Names the key and where it was written. */
	@Override
	public String toString() {
		Origin origin = OriginLookup.getOrigin(this.source, this.name);
		return this.name + " (" + ((origin != null) ? origin : this.source.getName()) + ")";
	}

}
