package dev.grpcloop.engine.http2;

import io.grpc.Status;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import dev.grpcloop.engine.message.MetadataCodec;
import dev.grpcloop.engine.message.StatusCodec;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

/**
 * Blocks, byte by byte.
 */
class HeaderBlockWriterTests {

	private static final byte[] ACCEPT = "gzip".getBytes(US_ASCII);

	private static final byte[] OK = StatusCodec.code(Status.Code.OK);

	private static final byte[] INTERNAL = StatusCodec.code(Status.Code.INTERNAL);

	private static final String CONTENT_TYPE_INSERT = "5f10" + hex("application/grpc");

	private static final String ACCEPT_INSERT = "4014" + hex("grpc-accept-encoding") + "04" + hex("gzip");

	private static final String STATUS_INSERT = "400b" + hex("grpc-status") + "0130";

	private static final String CONTENT_TYPE_LITERAL = "0f1010" + hex("application/grpc");

	private static final String ACCEPT_LITERAL = "0014" + hex("grpc-accept-encoding") + "04" + hex("gzip");

	private static final String STATUS_LITERAL = "000b" + hex("grpc-status") + "0130";

	private final ByteBuf out = Unpooled.buffer();

	private final HeaderBlockWriter writer = new HeaderBlockWriter(ACCEPT);

	@AfterEach
	void release() {
		this.out.release();
	}

	@Test
	void firstAnswerPutsThreeFieldsIntoTheTable() {
		assertThat(responseHeaders()).isEqualTo("88" + CONTENT_TYPE_INSERT + ACCEPT_INSERT);
		assertThat(okTrailers()).isEqualTo(STATUS_INSERT);
	}

	@Test
	void laterAnswersAreThreeBytesAndOneByte() {
		responseHeaders();
		okTrailers();
		assertThat(responseHeaders()).isEqualTo("88c0bf");
		assertThat(okTrailers()).isEqualTo("be");
		assertThat(responseHeaders()).isEqualTo("88c0bf");
		assertThat(okTrailers()).isEqualTo("be");
	}

	@Test
	void everyInsertMovesTheEarlierOnesUp() {
		responseHeaders();
		assertThat(responseHeaders()).isEqualTo("88bfbe");
		okTrailers();
		assertThat(responseHeaders()).isEqualTo("88c0bf");
	}

	@Test
	void orderOfInsertsIsTheOrderOfTheWire() {
		this.writer.trailersOnly(this.out, OK, null, MetadataCodec.NONE);
		assertThat(written()).isEqualTo("88" + CONTENT_TYPE_INSERT + STATUS_INSERT);
		assertThat(responseHeaders()).isEqualTo("88bf" + ACCEPT_INSERT);
		assertThat(responseHeaders()).isEqualTo("88c0be");
		assertThat(okTrailers()).isEqualTo("bf");
		this.writer.trailersOnly(this.out, OK, null, MetadataCodec.NONE);
		assertThat(written()).isEqualTo("88c0bf");
	}

	@Test
	void withoutAcceptEncodingWarmHeadersAreTwoBytes() {
		HeaderBlockWriter plain = new HeaderBlockWriter(null);
		plain.responseHeaders(this.out, null, null, MetadataCodec.NONE);
		assertThat(written()).isEqualTo("88" + CONTENT_TYPE_INSERT);
		plain.trailers(this.out, OK, null, MetadataCodec.NONE);
		written();
		plain.responseHeaders(this.out, null, null, MetadataCodec.NONE);
		assertThat(written()).isEqualTo("88bf");
		plain.trailers(this.out, OK, null, MetadataCodec.NONE);
		assertThat(written()).isEqualTo("be");
	}

	@Test
	void everythingElseIsALiteralThatTouchesNoTable() {
		this.writer.responseHeaders(this.out, "application/grpc+proto".getBytes(US_ASCII), "gzip".getBytes(US_ASCII),
				fields("x-a", "b"));
		assertThat(written()).isEqualTo("880f1016" + hex("application/grpc+proto") + "000d" + hex("grpc-encoding")
				+ "04" + hex("gzip") + ACCEPT_INSERT + "0003" + hex("x-a") + "01" + hex("b"));
		this.writer.trailers(this.out, INTERNAL, "no".getBytes(US_ASCII), fields("x-a", ""));
		assertThat(written()).isEqualTo("000b" + hex("grpc-status") + "023133" + "000c" + hex("grpc-message") + "02"
				+ hex("no") + "0003" + hex("x-a") + "00");
		assertThat(okTrailers()).isEqualTo(STATUS_INSERT);
	}

	@Test
	void refusalUsesTheStaticTableForTheHttpStatusWhereItCan() {
		String rest = "0f1019" + hex("text/plain; charset=utf-8") + "000b" + hex("grpc-status") + "023133" + "000c"
				+ hex("grpc-message") + "02" + hex("no");
		assertThat(refusal(200)).isEqualTo("88" + rest);
		assertThat(refusal(204)).isEqualTo("89" + rest);
		assertThat(refusal(206)).isEqualTo("8a" + rest);
		assertThat(refusal(304)).isEqualTo("8b" + rest);
		assertThat(refusal(400)).isEqualTo("8c" + rest);
		assertThat(refusal(404)).isEqualTo("8d" + rest);
		assertThat(refusal(500)).isEqualTo("8e" + rest);
		assertThat(refusal(415)).isEqualTo("0803" + hex("415") + rest);
		assertThat(refusal(505)).isEqualTo("0803" + hex("505") + rest);
	}

	@Test
	void refusalWithAStatusThatHasNotThreeDigitsIsRejectedBeforeAnythingIsWritten() {
		this.writer.peerTableSize(0);
		for (int status : new int[] { 99, 1000, -1 }) {
			assertThatIllegalArgumentException().isThrownBy(() -> refusal(status))
				.withMessage("HTTP status is " + status + "; allowed are 100 to 999");
		}
		assertThat(written()).isEmpty();
		assertThat(okTrailers()).isEqualTo("20" + STATUS_LITERAL);
	}

	@Test
	void longStringsHaveLengthsOfSeveralBytes() {
		this.writer.trailers(this.out, INTERNAL, null, fields("x-a", "v".repeat(126), "x-b", "v".repeat(127), "x-c",
				"v".repeat(255), "x-d", "v".repeat(16_511)));
		assertThat(written()).contains("0003" + hex("x-a") + "7e7676", "0003" + hex("x-b") + "7f007676",
				"0003" + hex("x-c") + "7f80017676", "0003" + hex("x-d") + "7f8080017676");
	}

	@Test
	void smallerTableIsAnnouncedOnceAndTheFieldsEnterAgain() {
		responseHeaders();
		okTrailers();
		this.writer.peerTableSize(1000);
		assertThat(okTrailers()).isEqualTo("3fc907" + STATUS_INSERT);
		assertThat(okTrailers()).isEqualTo("be");
		assertThat(responseHeaders()).isEqualTo("88" + CONTENT_TYPE_INSERT + ACCEPT_INSERT);
		assertThat(responseHeaders()).isEqualTo("88bfbe");
		assertThat(okTrailers()).isEqualTo("c0");
	}

	@Test
	void tableTooSmallForAllEntriesLeavesLiterals() {
		// content-type 60, accept-encoding 56, status 44
		this.writer.peerTableSize(159);
		assertThat(responseHeaders()).isEqualTo("3f8001" + "88" + CONTENT_TYPE_LITERAL + ACCEPT_LITERAL);
		assertThat(okTrailers()).isEqualTo(STATUS_LITERAL);
		this.writer.peerTableSize(160);
		assertThat(responseHeaders()).isEqualTo("3f8101" + "88" + CONTENT_TYPE_INSERT + ACCEPT_INSERT);
		assertThat(okTrailers()).isEqualTo(STATUS_INSERT);
		assertThat(responseHeaders()).isEqualTo("88c0bf");
	}

	@Test
	void firstSettingsCanForbidTheTable() {
		this.writer.peerTableSize(0);
		assertThat(responseHeaders()).isEqualTo("20" + "88" + CONTENT_TYPE_LITERAL + ACCEPT_LITERAL);
		assertThat(okTrailers()).isEqualTo(STATUS_LITERAL);
	}

	@Test
	void loweringAndRaisingBetweenTwoBlocksAnnouncesTheSmallestAndTheLast() {
		responseHeaders();
		this.writer.peerTableSize(100);
		this.writer.peerTableSize(1);
		this.writer.peerTableSize(50);
		this.writer.peerTableSize(4096);
		assertThat(responseHeaders()).isEqualTo("21" + "3fe11f" + "88" + CONTENT_TYPE_INSERT + ACCEPT_INSERT);
	}

	@Test
	void raisingWhatWasLoweredBringsTheTableBack() {
		this.writer.peerTableSize(30);
		okTrailers();
		this.writer.peerTableSize(31);
		assertThat(okTrailers()).isEqualTo("3f00" + STATUS_LITERAL);
		this.writer.peerTableSize(8192);
		assertThat(okTrailers()).isEqualTo("3fe11f" + STATUS_INSERT);
	}

	@Test
	void limitsAtOrAboveOursChangeNothing() {
		responseHeaders();
		for (long limit : new long[] { 4096, 65_536, 8192, 0xFFFF_FFFFL, 4096 }) {
			this.writer.peerTableSize(limit);
		}
		assertThat(responseHeaders()).isEqualTo("88bfbe");
	}

	@Test
	void resetForgetsInserts() {
		long cold = this.writer.mark();
		responseHeaders();
		this.writer.reset(cold);
		assertThat(okTrailers()).isEqualTo(STATUS_INSERT);
		long warm = this.writer.mark();
		responseHeaders();
		this.writer.reset(warm);
		assertThat(okTrailers()).isEqualTo("be");
		assertThat(responseHeaders()).isEqualTo("88" + CONTENT_TYPE_INSERT + ACCEPT_INSERT);
	}

	@Test
	void resetBringsPendingTableSizeUpdatesBack() {
		responseHeaders();
		this.writer.peerTableSize(20);
		this.writer.peerTableSize(500);
		long mark = this.writer.mark();
		String block = responseHeaders();
		this.writer.reset(mark);
		assertThat(responseHeaders()).isEqualTo(block).startsWith("34" + "3fd503" + "88");
		assertThat(responseHeaders()).isEqualTo("88bfbe");
	}

	@Test
	void markIsTheWholeState() {
		for (int size : new int[] { 0, 4096, 200, 77 }) {
			this.writer.peerTableSize(size);
			long mark = this.writer.mark();
			responseHeaders();
			okTrailers();
			this.writer.reset(mark);
			assertThat(this.writer.mark()).isEqualTo(mark);
			okTrailers();
		}
	}

	private String responseHeaders() {
		this.writer.responseHeaders(this.out, null, null, MetadataCodec.NONE);
		return written();
	}

	private String okTrailers() {
		this.writer.trailers(this.out, OK, null, MetadataCodec.NONE);
		return written();
	}

	private String refusal(int status) {
		this.writer.refusal(this.out, status, INTERNAL, "no".getBytes(US_ASCII));
		return written();
	}

	private String written() {
		String hex = ByteBufUtil.hexDump(this.out);
		this.out.clear();
		return hex;
	}

	private static String hex(String text) {
		return ByteBufUtil.hexDump(text.getBytes(US_ASCII));
	}

	private static byte[][] fields(String... namesAndValues) {
		byte[][] fields = new byte[namesAndValues.length][];
		for (int i = 0; i < fields.length; i++) {
			fields[i] = namesAndValues[i].getBytes(US_ASCII);
		}
		return fields;
	}

}
