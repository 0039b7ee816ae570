package dev.grpcloop.boot.validation;

/**
 * A path to a field of a message as clients read it: names of the {@code .proto} file
 * with dots between them, {@code [2]} for an element of a list, {@code ["key"]} for a
 * value of a map.
 */
final class ProtoFieldPath {

	private final StringBuilder path = new StringBuilder();

	/**
	 * Goes into a field.
	 * @param name its name in the {@code .proto} file
	 * @return this
	 */
	ProtoFieldPath field(String name) {
		if (!this.path.isEmpty()) {
			this.path.append('.');
		}
		this.path.append(name);
		return this;
	}

	/**
	 * Goes to an element of a list.
	 * @param index its index, the first one is 0
	 * @return this
	 */
	ProtoFieldPath index(long index) {
		this.path.append('[').append(index).append(']');
		return this;
	}

	/**
	 * Goes to a value of a map.
	 * @param key its key: a string, a number or a boolean
	 * @return this
	 */
	ProtoFieldPath key(Object key) {
		this.path.append('[');
		if (key instanceof String text) {
			this.path.append('"').append(text.replace("\\", "\\\\").replace("\"", "\\\"")).append('"');
		}
		else {
			this.path.append(key);
		}
		this.path.append(']');
		return this;
	}

	@Override
	public String toString() {
		return this.path.toString();
	}

}
