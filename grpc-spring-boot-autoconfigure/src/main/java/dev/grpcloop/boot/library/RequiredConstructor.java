package dev.grpcloop.boot.library;

import java.util.Arrays;
import java.util.List;

/**
 * A constructor of a library without which a server would fail later, at its first
 * connection. Held by name, since its class need not be there.
 *
 * @param type the name of its class
 * @param parameters the names of its parameters' types
 */
record RequiredConstructor(String type, List<String> parameters) {

	/**
	 * Looks for the constructor.
	 * @param classLoader where
	 * @return whether it can be called
	 */
	boolean isPresent(ClassLoader classLoader) {
		try {
			return Arrays.stream(Class.forName(this.type, false, classLoader).getConstructors())
				.anyMatch((constructor) -> Arrays.stream(constructor.getParameterTypes())
					.map(Class::getName)
					.toList()
					.equals(this.parameters));
		}
		catch (ClassNotFoundException | LinkageError ex) {
			return false;
		}
	}

	@Override
	public String toString() {
		return this.type + "(" + String.join(", ", this.parameters) + ")";
	}

}
