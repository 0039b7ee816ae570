package dev.grpcloop.engine;

import java.util.Random;

import com.google.protobuf.ByteString;
import com.google.protobuf.BytesValue;

/**
 * Messages for the echo service.
 */
final class Messages {

	private Messages() {
	}

	static BytesValue text(String text) {
		return BytesValue.of(ByteString.copyFromUtf8(text));
	}

	static String text(BytesValue message) {
		return message.getValue().toStringUtf8();
	}

	static BytesValue number(int number) {
		return text(Integer.toString(number));
	}

	/**
	 * Returns a message of random content.
	 * @param serializedSize its size on the wire; 3 at least
	 */
	static BytesValue ofSize(int serializedSize, long seed) {
		int content = serializedSize - 2;
		while (BytesValue.of(ByteString.copyFrom(new byte[content])).getSerializedSize() > serializedSize) {
			content--;
		}
		byte[] bytes = new byte[content];
		new Random(seed).nextBytes(bytes);
		return BytesValue.of(ByteString.copyFrom(bytes));
	}

}
