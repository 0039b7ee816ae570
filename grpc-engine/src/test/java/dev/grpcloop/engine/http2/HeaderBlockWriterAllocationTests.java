package dev.grpcloop.engine.http2;

import java.lang.management.ManagementFactory;

import com.sun.management.ThreadMXBean;
import io.grpc.Status;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import org.junit.jupiter.api.Test;

import dev.grpcloop.engine.message.MetadataCodec;
import dev.grpcloop.engine.message.StatusCodec;
import dev.grpcloop.engine.message.TimeoutCodec;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * What every call runs through allocates nothing, counted by the JVM for this thread.
 */
class HeaderBlockWriterAllocationTests {

	private static final int CALLS = 20_000;

	/** Leaves room for what the measuring itself and class loading allocate. */
	private static final long FAR_LESS_THAN_ONE_OBJECT_A_CALL = CALLS;

	@Test
	void blocksOfAWarmConnectionAllocateNothing() {
		HeaderBlockWriter writer = new HeaderBlockWriter("gzip".getBytes(US_ASCII));
		byte[] ok = StatusCodec.code(Status.Code.OK);
		byte[] internal = StatusCodec.code(Status.Code.INTERNAL);
		byte[][] metadata = { "x-a".getBytes(US_ASCII), "b".getBytes(US_ASCII) };
		// on the heap, since the leak detector allocates at every access to a direct
		// buffer
		ByteBuf out = Unpooled.buffer(1024);
		try {
			assertThat(allocatedBy(() -> {
				out.clear();
				long mark = writer.mark();
				writer.responseHeaders(out, null, null, MetadataCodec.NONE);
				writer.trailers(out, ok, null, MetadataCodec.NONE);
				writer.reset(mark);
				writer.responseHeaders(out, null, null, metadata);
				writer.trailers(out, internal, metadata[1], metadata);
				writer.trailersOnly(out, ok, null, MetadataCodec.NONE);
			})).isLessThan(FAR_LESS_THAN_ONE_OBJECT_A_CALL);
		}
		finally {
			out.release();
		}
	}

	@Test
	void timeoutsAndStatusCodesAllocateNothing() {
		long[] sum = new long[1];
		assertThat(
				allocatedBy(() -> sum[0] += TimeoutCodec.parseNanos("250m") + StatusCodec.code(Status.Code.OK).length))
			.isLessThan(FAR_LESS_THAN_ONE_OBJECT_A_CALL);
		assertThat(sum[0]).isPositive();
	}

	private static long allocatedBy(Runnable call) {
		ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
		for (int i = 0; i < CALLS; i++) {
			call.run();
		}
		long before = threads.getCurrentThreadAllocatedBytes();
		for (int i = 0; i < CALLS; i++) {
			call.run();
		}
		return threads.getCurrentThreadAllocatedBytes() - before;
	}

}
