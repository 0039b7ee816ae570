package dev.grpcloop.engine.http2;

import java.lang.management.ManagementFactory;
import java.util.Arrays;

import com.sun.management.ThreadMXBean;
import dev.grpcloop.engine.http2.ServedCall.Behaviour;
import dev.grpcloop.engine.telemetry.Guard;
import io.grpc.Metadata;
import io.grpc.Status;
import io.netty.handler.codec.http2.Http2FrameTypes;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static dev.grpcloop.engine.http2.TrippedGuard.assertAlive;
import static dev.grpcloop.engine.http2.TrippedGuard.assertTripped;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * Header blocks that never end, or become much larger than they look (CVE-2024-27316,
 * CVE-2016-6581; case B36).
 */
class HeaderBlockAbuseTests {

	private static final int PROTOCOL_ERROR = 1;

	private static final int SMALL = AbuseLimits.DEFAULT.smallContinuations();

	private static final int MIB = 1024 * 1024;

	private final ScriptedService service = new ScriptedService();

	/**
	 * Case B36 a, b.
	 */
	@ParameterizedTest
	@ValueSource(ints = { 0, 1, 100 })
	void aFloodOfSmallContinuationsEndsTheConnection(int length) {
		try (ScriptedPeer peer = ScriptedPeer.of(this.service).connected()) {
			peer.frame(Http2FrameTypes.HEADERS, 0, 1, RawHpack.block(":method", "POST"));
			for (int i = 0; i < SMALL; i++) {
				peer.frame(Http2FrameTypes.CONTINUATION, 0, 1, new byte[length]).play();
				assertThat(peer.isLeft()).as("the end after " + (i + 1) + " small frames").isFalse();
			}
			peer.frame(Http2FrameTypes.CONTINUATION, 0, 1, new byte[length]).play();
			assertTripped(peer, Guard.CONTINUATION_FLOOD);
		}
	}

	/**
	 * Case B36 a, as fast as possible.
	 */
	@Test
	void aHundredThousandEmptyContinuationsInOneGoTakeNoMemory() {
		try (ScriptedPeer peer = ScriptedPeer.of(this.service).connected()) {
			peer.frame(Http2FrameTypes.HEADERS, 0, 1);
			for (int i = 0; i < 100_000; i++) {
				peer.frame(Http2FrameTypes.CONTINUATION, 0, 1);
			}
			peer.play();
			assertTripped(peer, Guard.CONTINUATION_FLOOD);
			assertThat(peer.channel.allocatedBytes()).isLessThan(MIB);
		}
	}

	@Test
	void asManySmallContinuationsAsTheLimitAreLegal() {
		this.service.behaves(Behaviour.ECHO);
		try (ScriptedPeer peer = ScriptedPeer.of(this.service).connected()) {
			byte[] block = RawHpack.block(ScriptedPeer.request("/t.Echo/Unary"));
			int[] fragments = new int[SMALL];
			Arrays.fill(fragments, 1);
			peer.fragmentedHeaders(1, 0, block, fragments).lastData(1, ScriptedPeer.ABC).play();
			assertThat(peer.stream(1).status()).isZero();
			assertAlive(peer, 3);
		}
	}

	@Test
	void theLimitOfSmallContinuationsCanBeSet() {
		AbuseLimits limits = new AbuseLimits(1_000_000_000, 200, 200, 1000, 120_000, 100, 1000, 1);
		byte[] block = RawHpack.block(ScriptedPeer.request("/t.Echo/Unary"));
		try (ScriptedPeer peer = ScriptedPeer.of(this.service).abuse(limits).connected()) {
			peer.fragmentedHeaders(1, 0, block, 1).lastData(1, ScriptedPeer.ABC).play();
			assertThat(peer.stream(1).status()).isZero();
			peer.fragmentedHeaders(3, 0, block, 1, 1, 1).play();
			assertTripped(peer, Guard.CONTINUATION_FLOOD);
		}
	}

	/**
	 * Case B36 c.
	 */
	@Test
	void largeContinuationsStopAtTheLimitOfHeaders() {
		try (ScriptedPeer peer = ScriptedPeer.of(this.service).connected()) {
			peer.frame(Http2FrameTypes.HEADERS, 0, 1);
			for (int i = 0; i < 100; i++) {
				peer.frame(Http2FrameTypes.CONTINUATION, 0, 1,
						Arrays.copyOf(RawHpack.block("x-" + i, "v".repeat(16_000)), 16384));
			}
			byte[] flood = peer.takeScript();
			peer.raw(flood);
			long allocated = allocatedBy(peer::deliver);
			peer.settle();
			assertEnded(peer);
			assertThat(allocated - 4L * flood.length).as("what the server allocated").isLessThan(MIB);
			assertThat(peer.channel.allocatedBytes()).isLessThan(MIB);
		}
	}

	@ParameterizedTest
	@ValueSource(ints = { 8192, 8200, 10_000 })
	void whatIsHeldOfABlockIsBounded(int length) {
		try (ScriptedPeer peer = ScriptedPeer.of(this.service).limits(100, 65535, 64 * 1024).connected()) {
			peer.frame(Http2FrameTypes.HEADERS, 0, 1);
			int sent = 0;
			while (!peer.isLeft()) {
				peer.frame(Http2FrameTypes.CONTINUATION, 0, 1, new byte[length]).play();
				sent += length;
				assertThat(sent).as("bytes of a block that has not ended").isLessThan(128 * 1024);
			}
			assertEnded(peer);
		}
	}

	/**
	 * Case B36 d: 16 000 bytes are more than the server takes as they stand.
	 */
	@Test
	void aBombLargerThanTheLimitEndsTheConnection() {
		try (ScriptedPeer peer = armed()) {
			byte[] bomb = new byte[16_000];
			Arrays.fill(bomb, (byte) (0x80 | 62));
			peer.headers(3, 1, bomb);
			long allocated = allocatedBy(peer::deliver);
			peer.settle();
			assertEnded(peer);
			assertThat(allocated).isLessThan(MIB);
		}
	}

	/**
	 * Case B36 d, as large as a block may be.
	 */
	@ParameterizedTest
	@ValueSource(ints = { 62, 2, 0x3d })
	void aBombWithinTheLimitIsRefusedWithoutBecomingLarge(int index) {
		try (ScriptedPeer peer = armed()) {
			byte[] bomb = RawHpack.concat(RawHpack.block(ScriptedPeer.request("/t.Echo/Unary")), filled(10_000, index));
			peer.headers(3, 1, bomb).play();
			assertThat(peer.stream(3).status()).isEqualTo(Status.Code.RESOURCE_EXHAUSTED.value());
			int id = 5;
			for (int i = 0; i < 100; i++) {
				peer.headers(id, 1, bomb);
				id += 2;
			}
			int sent = peer.scriptLength();
			long allocated = allocatedBy(peer::deliver);
			peer.settle();
			assertThat(allocated).as("what 100 bombs allocate").isLessThan(4L * sent + 2 * MIB);
			assertThat(peer.channel.allocatedBytes()).isLessThan(MIB);
			this.service.behaves(Behaviour.ECHO);
			assertAlive(peer, id);
		}
	}

	private static byte[] filled(int length, int index) {
		byte[] bytes = new byte[length];
		Arrays.fill(bytes, (byte) (0x80 | index));
		return bytes;
	}

	/**
	 * A byte of the request must not become kilobytes of the response, which repeats what
	 * it does not know.
	 */
	@ParameterizedTest
	@ValueSource(strings = { ":path", ":method", "content-type" })
	void whatAClientSaysInAByteIsNotRepeatedAtLength(String name) {
		try (ScriptedPeer peer = ScriptedPeer.of(this.service).connected()) {
			String value = "/" + "\u00ff".repeat(3900);
			byte[] entry = RawHpack.insertingBlock(name, value);
			String[] others = name.equals(":path") ? new String[] { ":method", "POST", ":scheme", "http" }
					: name.equals(":method") ? new String[] { ":scheme", "http", ":path", "/t.Echo/Unary" }
							: new String[] { ":method", "POST", ":scheme", "http", ":path", "/t.Echo/Unary" };
			boolean last = name.equals("content-type");
			byte[] rest = RawHpack.block(others);
			byte[] type = name.equals(":path") || name.equals(":method")
					? RawHpack.block("content-type", "application/grpc") : new byte[0];
			peer.headers(1, 1, last ? RawHpack.concat(rest, entry) : RawHpack.concat(entry, rest, type)).play();
			assertThat(peer.stream(1).isOver()).isTrue();
			long before = peer.oracle.bytesRead();
			byte[] index = RawHpack.indexed(62);
			for (int id = 3; id < 203; id += 2) {
				peer.headers(id, 1, last ? RawHpack.concat(rest, index) : RawHpack.concat(index, rest, type));
			}
			peer.play();
			assertThat(peer.stream(201).isOver()).isTrue();
			assertThat((peer.oracle.bytesRead() - before) / 100).as("bytes of an answer").isLessThan(4096);
		}
	}

	/**
	 * A connection with an entry of nearly 4 KiB in its table.
	 */
	private ScriptedPeer armed() {
		ScriptedPeer peer = ScriptedPeer.of(this.service).connected();
		peer.headers(1, 1, RawHpack.concat(RawHpack.block(ScriptedPeer.request("/t.Echo/Unary")),
				RawHpack.insertingBlock("x-a", "v".repeat(4000))))
			.play();
		assertThat(peer.isLeft()).isFalse();
		return peer;
	}

	/**
	 * Case B36 e.
	 */
	@ParameterizedTest
	@ValueSource(bytes = { Http2FrameTypes.DATA, Http2FrameTypes.HEADERS, Http2FrameTypes.PRIORITY,
			Http2FrameTypes.RST_STREAM, Http2FrameTypes.SETTINGS, Http2FrameTypes.PING, Http2FrameTypes.GO_AWAY,
			Http2FrameTypes.WINDOW_UPDATE, 0x77 })
	void anythingElseInTheMiddleOfAHeaderBlockIsAConnectionError(byte type) {
		try (ScriptedPeer peer = ScriptedPeer.of(this.service).connected()) {
			peer.frame(Http2FrameTypes.HEADERS, 0, 1, RawHpack.block(":method", "POST"))
				.frame(type, 0,
						(type == Http2FrameTypes.PING || type == Http2FrameTypes.SETTINGS
								|| type == Http2FrameTypes.GO_AWAY) ? 0 : 1,
						new byte[8])
				.play();
			assertEnded(peer);
		}
	}

	/**
	 * Case B36.
	 */
	@Test
	void fortyKibibytesOfHeadersInThreeContinuationsAreLegalWithinARaisedLimit() {
		this.service.behaves(Behaviour.ECHO);
		try (ScriptedPeer peer = ScriptedPeer.of(this.service).limits(100, 65535, 64 * 1024).connected()) {
			String value = "v".repeat(40 * 1024);
			byte[] block = RawHpack.block(ScriptedPeer.request("/t.Echo/Unary", "x-large", value));
			peer.fragmentedHeaders(1, 0, block, 16384, 12_000, 12_000).lastData(1, ScriptedPeer.ABC).play();
			assertThat(peer.stream(1).status()).isZero();
			assertThat(
					this.service.onlyCall().metadata.get(Metadata.Key.of("x-large", Metadata.ASCII_STRING_MARSHALLER)))
				.isEqualTo(value);
			assertAlive(peer, 3);
		}
	}

	private static void assertEnded(ScriptedPeer peer) {
		assertThat(peer.oracle.goAways()).singleElement()
			.satisfies((goAway) -> assertThat(goAway.errorCode()).isEqualTo(PROTOCOL_ERROR));
		assertThat(peer.isLeft()).isTrue();
		assertThat(peer.telemetry.guards).isEmpty();
	}

	private static long allocatedBy(Runnable step) {
		ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
		long before = threads.getCurrentThreadAllocatedBytes();
		step.run();
		return threads.getCurrentThreadAllocatedBytes() - before;
	}

}
