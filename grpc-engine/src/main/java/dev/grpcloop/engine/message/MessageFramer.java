package dev.grpcloop.engine.message;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;

import com.google.protobuf.CodedOutputStream;
import com.google.protobuf.MessageLite;
import io.grpc.Compressor;
import io.grpc.Drainable;
import io.grpc.KnownLength;
import io.grpc.MethodDescriptor.Marshaller;
import org.jspecify.annotations.Nullable;

/**
 * Writes messages with their length prefix. Whatever a marshaller throws leaves nothing
 * half-written behind, since only whole messages leave this class.
 */
public final class MessageFramer {

	private static final int PREFIX_LENGTH = MessageDeframer.PREFIX_LENGTH;

	private MessageFramer() {
	}

	/**
	 * Frames a protobuf message into memory that is used again for the next one.
	 * @param message the message, of a method for which
	 * {@link ProtobufMarshallers#isProtobuf} holds
	 * @param scratch the memory
	 * @return the length of the framed message at the beginning of {@code scratch}, or -1
	 * if it does not fit
	 */
	public static int frameInto(MessageLite message, byte[] scratch) {
		int length = message.getSerializedSize();
		if (length > scratch.length - PREFIX_LENGTH) {
			return -1;
		}
		writeProtobuf(message, scratch, length);
		return PREFIX_LENGTH + length;
	}

	/**
	 * Frames a protobuf message.
	 * @param message the message, of a method for which
	 * {@link ProtobufMarshallers#isProtobuf} holds
	 * @return the framed message, an array of its own
	 */
	public static byte[] frame(MessageLite message) {
		int length = message.getSerializedSize();
		byte[] framed = new byte[Math.addExact(PREFIX_LENGTH, length)];
		writeProtobuf(message, framed, length);
		return framed;
	}

	private static void writeProtobuf(MessageLite message, byte[] target, int length) {
		try {
			CodedOutputStream out = CodedOutputStream.newInstance(target, PREFIX_LENGTH, length);
			message.writeTo(out);
			out.checkNoSpaceLeft();
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
		writePrefix(target, false, length);
	}

	/**
	 * Frames a message by its marshaller.
	 * @param <T> the type of the message
	 * @param marshaller the method's response marshaller
	 * @param message the message
	 * @param compressor compresses it, or {@code null} to leave it plain
	 * @return the framed message, an array of its own
	 * @throws UncheckedIOException if the message's stream fails
	 */
	public static <T> byte[] frame(Marshaller<T> marshaller, T message, @Nullable Compressor compressor) {
		try (InputStream in = marshaller.stream(message)) {
			FramedOutput out = new FramedOutput((in instanceof KnownLength) ? in.available() : 256);
			if (compressor == null) {
				drain(in, out);
			}
			else {
				try (OutputStream compressed = compressor.compress(out)) {
					drain(in, compressed);
				}
			}
			return out.toFramed(compressor != null);
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	private static void drain(InputStream in, OutputStream out) throws IOException {
		if (in instanceof Drainable drainable) {
			drainable.drainTo(out);
		}
		else {
			in.transferTo(out);
		}
	}

	private static void writePrefix(byte[] target, boolean compressed, int length) {
		target[0] = (byte) (compressed ? 1 : 0);
		target[1] = (byte) (length >>> 24);
		target[2] = (byte) (length >>> 16);
		target[3] = (byte) (length >>> 8);
		target[4] = (byte) length;
	}

	private static final class FramedOutput extends ByteArrayOutputStream {

		FramedOutput(int sizeHint) {
			super(PREFIX_LENGTH + sizeHint);
			this.count = PREFIX_LENGTH;
		}

		byte[] toFramed(boolean compressed) {
			byte[] framed = (this.buf.length == this.count) ? this.buf : toByteArray();
			writePrefix(framed, compressed, this.count - PREFIX_LENGTH);
			return framed;
		}

	}

}
