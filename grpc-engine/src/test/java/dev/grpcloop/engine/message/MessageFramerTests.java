package dev.grpcloop.engine.message;

import java.io.ByteArrayInputStream;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.function.Function;

import com.google.protobuf.ByteString;
import com.google.protobuf.BytesValue;
import io.grpc.Codec;
import io.grpc.Compressor;
import io.grpc.Drainable;
import io.grpc.KnownLength;
import io.grpc.MethodDescriptor.Marshaller;
import io.grpc.protobuf.ProtoUtils;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

class MessageFramerTests {

	private static final int[] SIZES = { 0, 1, 127, 128, 250, 251, 252, 256, 257, 16_384, 1_000_000 };

	enum Source {

		KNOWN_LENGTH {

			@Override
			InputStream stream(byte[] message) {
				return new Known(message);
			}

		},

		DRAINABLE {

			@Override
			InputStream stream(byte[] message) {
				return new Draining(message);
			}

		},

		PLAIN {

			@Override
			InputStream stream(byte[] message) {
				return new FilterInputStream(new ByteArrayInputStream(message)) {
				};
			}

		};

		abstract InputStream stream(byte[] message);

	}

	@ParameterizedTest
	@EnumSource
	void whatAMarshallerWritesMakesTheRoundTrip(Source source) throws IOException {
		for (Compressor compressor : new Compressor[] { null, new Codec.Gzip() }) {
			for (int size : SIZES) {
				byte[] message = MessageDeframerTests.message(size);
				byte[] framed = MessageFramer.frame(marshaller(source), message, compressor);
				assertThat(framed[0]).isEqualTo((byte) ((compressor != null) ? 1 : 0));
				assertThat(deframe(framed)).containsExactly(message);
			}
		}
	}

	@Test
	void protobufMakesTheRoundTripAndIsWhatItsMarshallerWrites() throws IOException {
		Marshaller<BytesValue> marshaller = ProtoUtils.marshaller(BytesValue.getDefaultInstance());
		for (int size : SIZES) {
			BytesValue message = BytesValue.of(ByteString.copyFrom(MessageDeframerTests.message(size)));
			byte[] framed = MessageFramer.frame(message);
			assertThat(framed).isEqualTo(MessageFramer.frame(marshaller, message, null));
			assertThat(BytesValue.parseFrom(deframe(framed).get(0))).isEqualTo(message);
			byte[] scratch = MessageDeframerTests.message(framed.length);
			assertThat(MessageFramer.frameInto(message, scratch)).isEqualTo(framed.length);
			assertThat(scratch).isEqualTo(framed);
			assertThat(MessageFramer.frameInto(message, new byte[framed.length - 1])).isEqualTo(-1);
		}
	}

	@Test
	void randomMessagesOneAfterTheOtherComeOutInOrder() throws IOException {
		Random random = new Random(42);
		for (int run = 0; run < 200; run++) {
			List<byte[]> messages = new ArrayList<>();
			ByteBuf wire = Unpooled.buffer();
			for (int count = random.nextInt(8); count > 0; count--) {
				byte[] message = MessageDeframerTests.message(random.nextInt(2000));
				messages.add(message);
				Source source = Source.values()[random.nextInt(3)];
				wire.writeBytes(MessageFramer.frame(marshaller(source), message,
						random.nextBoolean() ? new Codec.Gzip() : null));
			}
			assertThat(deframe(ByteBufUtil.getBytes(wire)).toArray(byte[][]::new))
				.isDeepEqualTo(messages.toArray(byte[][]::new));
			wire.release();
		}
	}

	@Test
	void aStreamThatFailsIsHeardAndClosed() {
		boolean[] closed = new boolean[1];
		Marshaller<byte[]> failing = new Bytes((message) -> new InputStream() {

			@Override
			public int read() throws IOException {
				throw new IOException("no more");
			}

			@Override
			public void close() {
				closed[0] = true;
			}

		});
		assertThatExceptionOfType(UncheckedIOException.class)
			.isThrownBy(() -> MessageFramer.frame(failing, new byte[1], null));
		assertThat(closed[0]).isTrue();
	}

	private static Marshaller<byte[]> marshaller(Source source) {
		return new Bytes(source::stream);
	}

	private static List<byte[]> deframe(byte[] wire) throws IOException {
		List<byte[]> messages = new ArrayList<>();
		MessageDeframer deframer = new MessageDeframer(Integer.MAX_VALUE);
		MessageDeframer.Sink sink = new MessageDeframer.Sink() {

			@Override
			public void message(boolean compressed, ByteBuf data, int index, int length) {
				message(compressed, ByteBufUtil.getBytes(data, index, length, true));
			}

			@Override
			public void message(boolean compressed, byte[] message) {
				try {
					InputStream in = new ByteArrayInputStream(message);
					messages.add((compressed ? new Codec.Gzip().decompress(in) : in).readAllBytes());
				}
				catch (IOException ex) {
					throw new UncheckedIOException(ex);
				}
			}

		};
		assertThat(deframer.deframe(Unpooled.wrappedBuffer(wire), sink)).isNull();
		assertThat(deframer.partialBytes()).isZero();
		return messages;
	}

	private record Bytes(Function<byte[], InputStream> source) implements Marshaller<byte[]> {

		@Override
		public InputStream stream(byte[] value) {
			return this.source.apply(value);
		}

		@Override
		public byte[] parse(InputStream stream) {
			throw new UnsupportedOperationException();
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
