package dev.grpcloop.engine.differential;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

import io.grpc.InternalMetadata;
import io.grpc.Metadata;

/**
 * Metadata as a list that a script can print.
 *
 * @param fields name and value; values of binary names are in ISO 8859-1
 */
record Fields(List<Map.Entry<String, String>> fields) {

	static final Fields NONE = new Fields(List.of());

	/** The text goes out as the application's marshaller gives it. */
	private static final Metadata.AsciiMarshaller<String> TEXT = new Metadata.AsciiMarshaller<>() {

		@Override
		public String toAsciiString(String value) {
			return value;
		}

		@Override
		public String parseAsciiString(String serialized) {
			return serialized;
		}

	};

	Metadata toMetadata() {
		Metadata metadata = new Metadata();
		for (Map.Entry<String, String> field : this.fields) {
			if (field.getKey().endsWith("-bin")) {
				metadata.put(Metadata.Key.of(field.getKey(), Metadata.BINARY_BYTE_MARSHALLER),
						field.getValue().getBytes(StandardCharsets.ISO_8859_1));
			}
			else {
				metadata.put(Metadata.Key.of(field.getKey(), TEXT), field.getValue());
			}
		}
		return metadata;
	}

	/**
	 * Returns the values of each name in their order; between names there is none.
	 */
	static Map<String, List<String>> describe(Metadata metadata) {
		Map<String, List<String>> result = new TreeMap<>();
		byte[][] fields = InternalMetadata.serialize(metadata);
		for (int i = 0; i < fields.length; i += 2) {
			String name = new String(fields[i], StandardCharsets.ISO_8859_1);
			String value = name.endsWith("-bin") ? HexFormat.of().formatHex(fields[i + 1])
					: new String(fields[i + 1], StandardCharsets.ISO_8859_1);
			result.computeIfAbsent(name, (key) -> new ArrayList<>()).add(value);
		}
		return result;
	}

	@Override
	public String toString() {
		return this.fields.toString();
	}

}
