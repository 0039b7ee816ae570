package dev.grpcloop.engine.differential;

import java.io.ByteArrayInputStream;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;

import com.google.protobuf.ByteString;
import com.google.protobuf.BytesValue;
import io.grpc.Drainable;
import io.grpc.KnownLength;
import io.grpc.MethodDescriptor;
import io.grpc.protobuf.ProtoUtils;

/**
 * Marshallers of every sort.
 */
final class Marshallers {

	/** The client's: bytes as they are. */
	static final MethodDescriptor.Marshaller<byte[]> BYTES = new MethodDescriptor.Marshaller<>() {

		@Override
		public InputStream stream(byte[] value) {
			return new ByteArrayInputStream(value);
		}

		@Override
		public byte[] parse(InputStream stream) {
			return readAll(stream);
		}

	};

	private static final MethodDescriptor.Marshaller<Object> CUSTOM = new MethodDescriptor.Marshaller<>() {

		@Override
		public InputStream stream(Object value) {
			Msg message = (Msg) value;
			if (message.failure() != null) {
				message.failure().fail();
			}
			byte[] bytes = message.bytes();
			return switch (bytes.length % 3) {
				case 0 -> new Known(bytes);
				case 1 -> new Draining(bytes);
				default -> new FilterInputStream(new ByteArrayInputStream(bytes)) {
				};
			};
		}

		@Override
		public Object parse(InputStream stream) {
			byte[] bytes = readAll(stream);
			Msg.failIfAsked(bytes);
			return bytes;
		}

	};

	private Marshallers() {
	}

	@SuppressWarnings("unchecked")
	static MethodDescriptor.Marshaller<Object> ofServer(boolean protobuf) {
		MethodDescriptor.Marshaller<?> marshaller = protobuf ? ProtoUtils.marshaller(BytesValue.getDefaultInstance())
				: CUSTOM;
		return (MethodDescriptor.Marshaller<Object>) marshaller;
	}

	/**
	 * The message that a service sends.
	 */
	static Object response(Msg message, boolean protobuf) {
		return protobuf ? BytesValue.of(ByteString.copyFrom(message.bytes())) : message;
	}

	/**
	 * The bytes that a client sends.
	 */
	static byte[] request(Msg message, boolean protobuf) {
		return (protobuf && message.failure() == null)
				? BytesValue.of(ByteString.copyFrom(message.bytes())).toByteArray() : message.request();
	}

	static String describe(Object request) {
		return Msg.describe((request instanceof BytesValue value) ? value.toByteArray() : (byte[]) request);
	}

	private static byte[] readAll(InputStream stream) {
		try {
			return stream.readAllBytes();
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	private static final class Known extends ByteArrayInputStream implements KnownLength {

		Known(byte[] bytes) {
			super(bytes);
		}

	}

	private static final class Draining extends ByteArrayInputStream implements Drainable {

		Draining(byte[] bytes) {
			super(bytes);
		}

		@Override
		public int drainTo(OutputStream target) throws IOException {
			return (int) transferTo(target);
		}

	}

}
