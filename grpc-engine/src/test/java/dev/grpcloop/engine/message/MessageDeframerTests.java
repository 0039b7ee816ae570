package dev.grpcloop.engine.message;

import java.io.ByteArrayOutputStream;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;

import io.grpc.Status;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

class MessageDeframerTests {

	private static final int LIMIT = 1000;

	@Test
	void everyCutGivesTheSameMessages() {
		byte[] wire = wire(new byte[0], message(1), message(300), new byte[0], message(70));
		List<String> whole = cut(wire);
		assertThat(whole).hasSize(5);
		for (int first = 0; first <= wire.length; first++) {
			for (int second = first; second <= wire.length; second += 7) {
				assertThat(cut(wire, first, second)).as("cuts at %d and %d", first, second).isEqualTo(whole);
			}
		}
	}

	@Test
	void singleBytesGiveTheSameMessages() {
		byte[] wire = wire(message(5), new byte[0], message(260));
		int[] everywhere = new int[wire.length];
		for (int i = 0; i < wire.length; i++) {
			everywhere[i] = i;
		}
		assertThat(cut(wire, everywhere)).isEqualTo(cut(wire));
	}

	@Test
	void randomMessagesInRandomPiecesArriveInOrderAndEveryByteIsCounted() {
		Random random = new Random(42);
		for (int run = 0; run < 500; run++) {
			byte[][] messages = new byte[random.nextInt(6)][];
			for (int i = 0; i < messages.length; i++) {
				messages[i] = message(random.nextInt(4) == 0 ? 0 : random.nextInt(LIMIT + 1));
			}
			byte[] wire = wire(messages);
			Recorder recorder = new Recorder();
			MessageDeframer deframer = new MessageDeframer(LIMIT);
			int fed = 0;
			while (fed < wire.length) {
				int count = Math.min(1 + random.nextInt(random.nextBoolean() ? 8 : 700), wire.length - fed);
				assertThat(feed(deframer, wire, fed, count, recorder)).isNull();
				fed += count;
				assertThat(recorder.bytes + deframer.partialBytes()).as("delivered and held").isEqualTo(fed);
			}
			assertThat(deframer.partialBytes()).isZero();
			assertThat(recorder.messages).isEqualTo(cut(wire));
			assertThat(recorder.messages).hasSize(messages.length);
		}
	}

	@Test
	void largeMessageGrowsToItsSize() {
		byte[] large = message(3_000_000);
		byte[] wire = wire(large, message(3));
		Recorder recorder = new Recorder();
		MessageDeframer deframer = new MessageDeframer(large.length);
		for (int fed = 0; fed < wire.length; fed += 16_384) {
			assertThat(feed(deframer, wire, fed, Math.min(16_384, wire.length - fed), recorder)).isNull();
		}
		assertThat(recorder.messages).containsExactly(describe(false, large), describe(false, message(3)));
	}

	@Test
	void messageOfTheLimitPassesAndOneByteMoreIsRefusedByItsPrefixAlone() {
		assertThat(feed(new MessageDeframer(LIMIT), prefix(0, LIMIT), 0, 5, new Recorder())).isNull();
		for (int length : new int[] { LIMIT + 1, Integer.MAX_VALUE, Integer.MIN_VALUE, -1 }) {
			for (int cut = 0; cut <= 5; cut++) {
				MessageDeframer deframer = new MessageDeframer(LIMIT);
				Recorder recorder = new Recorder();
				byte[] prefix = prefix(0, length);
				feed(deframer, prefix, 0, cut, recorder);
				Status status = (cut < 5) ? feed(deframer, prefix, cut, 5 - cut, recorder)
						: feed(new MessageDeframer(LIMIT), prefix, 0, 5, recorder);
				assertThat(status.getCode()).isEqualTo(Status.Code.RESOURCE_EXHAUSTED);
				assertThat(status.getDescription())
					.isEqualTo("gRPC message exceeds maximum size 1000: " + Integer.toUnsignedString(length));
				assertThat(recorder.messages).isEmpty();
			}
		}
	}

	@Test
	void whatFollowsARefusedMessageIsDropped() {
		MessageDeframer deframer = new MessageDeframer(LIMIT);
		Recorder recorder = new Recorder();
		byte[] wire = concat(wire(message(2)), prefix(0, LIMIT + 1), wire(message(1)));
		assertThat(feed(deframer, wire, 0, wire.length, recorder).getCode()).isEqualTo(Status.Code.RESOURCE_EXHAUSTED);
		assertThat(feed(deframer, wire, 0, wire.length, recorder)).isNull();
		assertThat(recorder.messages).containsExactly(describe(false, message(2)));
	}

	@ParameterizedTest
	@ValueSource(ints = { 2, 3, 60, 128, 255 })
	void flagsThatAreNeitherZeroNorOneAreRefused(int flag) {
		Status status = feed(new MessageDeframer(LIMIT), prefix(flag, 0), 0, 5, new Recorder());
		assertThat(status.getCode()).isEqualTo(Status.Code.INTERNAL);
		assertThat(status.getDescription()).contains(Integer.toString(flag));
	}

	@Test
	void theCompressedFlagIsToldOfEachMessage() {
		byte[] wire = concat(prefix(1, 2), message(2), prefix(0, 2), message(2), prefix(1, 0));
		List<String> expected = List.of(describe(true, message(2)), describe(false, message(2)),
				describe(true, new byte[0]));
		for (int cut = 0; cut <= wire.length; cut++) {
			assertThat(cut(wire, cut)).isEqualTo(expected);
		}
	}

	@Test
	void theMemoryOfAMessageGrowsWithWhatHasCome() {
		int length = 8 * 1024 * 1024;
		MessageDeframer deframer = new MessageDeframer(length);
		Recorder recorder = new Recorder();
		feed(deframer, prefix(0, length), 0, 5, recorder);
		assertThat(deframer.heldBytes()).isZero();
		byte[] piece = new byte[1000];
		for (int come = 1000; come < length; come += 1000) {
			feed(deframer, piece, 0, 1000, recorder);
			assertThat(deframer.heldBytes()).isBetween(come, Math.min(length, 4 * come));
		}
		deframer.close();
		assertThat(deframer.heldBytes()).isZero();
	}

	@Test
	void anAnnouncedLengthAllocatesNoMoreThanWhatHasCome() {
		com.sun.management.ThreadMXBean threads = (com.sun.management.ThreadMXBean) ManagementFactory.getThreadMXBean();
		MessageDeframer[] deframers = new MessageDeframer[16];
		byte[] start = concat(prefix(0, 64 * 1024 * 1024), message(1));
		Recorder recorder = new Recorder();
		feed(new MessageDeframer(64 * 1024 * 1024), start, 0, start.length, recorder);
		long before = threads.getCurrentThreadAllocatedBytes();
		for (int i = 0; i < deframers.length; i++) {
			deframers[i] = new MessageDeframer(64 * 1024 * 1024);
			feed(deframers[i], start, 0, start.length, recorder);
		}
		long allocated = threads.getCurrentThreadAllocatedBytes() - before;
		assertThat(allocated / deframers.length).isLessThan(4 * 1024);
		assertThat(deframers[0].partialBytes()).isEqualTo(6);
	}

	@Test
	void anyBytesGiveMessagesOrOneStatus() {
		Random random = new Random(43);
		for (int run = 0; run < 3000; run++) {
			byte[] wire = new byte[random.nextInt(60)];
			random.nextBytes(wire);
			for (int i = 0; i < wire.length; i++) {
				wire[i] = (random.nextInt(3) > 0) ? (byte) random.nextInt(3) : wire[i];
			}
			MessageDeframer whole = new MessageDeframer(LIMIT);
			Recorder expected = new Recorder();
			Status status = feed(whole, wire, 0, wire.length, expected);
			MessageDeframer pieces = new MessageDeframer(LIMIT);
			Recorder recorder = new Recorder();
			Status found = null;
			for (int i = 0; i < wire.length; i++) {
				Status next = feed(pieces, wire, i, 1, recorder);
				assertThat(found == null || next == null).as("one status at most").isTrue();
				found = (next != null) ? next : found;
			}
			assertThat(String.valueOf(found)).isEqualTo(String.valueOf(status));
			assertThat(recorder.messages).isEqualTo(expected.messages);
			if (found == null) {
				assertThat(pieces.partialBytes()).isEqualTo(whole.partialBytes());
			}
		}
	}

	private static List<String> cut(byte[] wire, int... cuts) {
		Recorder recorder = new Recorder();
		MessageDeframer deframer = new MessageDeframer(LIMIT);
		int from = 0;
		for (int cut : cuts) {
			assertThat(feed(deframer, wire, from, cut - from, recorder)).isNull();
			from = cut;
		}
		assertThat(feed(deframer, wire, from, wire.length - from, recorder)).isNull();
		assertThat(deframer.partialBytes()).isZero();
		return recorder.messages;
	}

	/** As a frame is read: in a buffer that holds other bytes before it. */
	private static Status feed(MessageDeframer deframer, byte[] wire, int from, int count, Recorder recorder) {
		ByteBuf data = Unpooled.buffer().writeBytes(new byte[9]).writeBytes(wire, from, count).skipBytes(9);
		Status status = deframer.deframe(data, recorder);
		assertThat(data.readableBytes()).as("all is consumed").isZero();
		data.release();
		return status;
	}

	static byte[] message(int length) {
		byte[] message = new byte[length];
		new Random(length).nextBytes(message);
		return message;
	}

	private static byte[] wire(byte[]... messages) {
		byte[][] parts = new byte[2 * messages.length][];
		for (int i = 0; i < messages.length; i++) {
			parts[2 * i] = prefix(0, messages[i].length);
			parts[2 * i + 1] = messages[i];
		}
		return concat(parts);
	}

	private static byte[] prefix(int flag, int length) {
		return new byte[] { (byte) flag, (byte) (length >>> 24), (byte) (length >>> 16), (byte) (length >>> 8),
				(byte) length };
	}

	private static byte[] concat(byte[]... parts) {
		ByteArrayOutputStream out = new ByteArrayOutputStream();
		for (byte[] part : parts) {
			out.writeBytes(part);
		}
		return out.toByteArray();
	}

	static String describe(boolean compressed, byte[] message) {
		return compressed + " " + message.length + " " + Arrays.hashCode(message);
	}

	private static final class Recorder implements MessageDeframer.Sink {

		private final List<String> messages = new ArrayList<>();

		private int bytes;

		@Override
		public void message(boolean compressed, ByteBuf data, int index, int length) {
			record(compressed, ByteBufUtil.getBytes(data, index, length, true));
		}

		@Override
		public void message(boolean compressed, byte[] message) {
			record(compressed, message);
		}

		private void record(boolean compressed, byte[] message) {
			this.messages.add(describe(compressed, message));
			this.bytes += MessageDeframer.PREFIX_LENGTH + message.length;
		}

	}

}
