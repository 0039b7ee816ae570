package dev.grpcloop.engine.testsupport;

import io.netty.buffer.ByteBufAllocator;
import org.junit.jupiter.api.Test;

/**
 * Test classes that no build selects: {@link BufferLeakExtensionTests} runs them.
 */
final class LeakFixtures {

	private LeakFixtures() {
	}

	static class LosesABuffer {

		@Test
		void losesIt() {
			ByteBufAllocator.DEFAULT.buffer(16).touch("lost on purpose");
		}

	}

	static class ReleasesItsBuffers {

		@Test
		void releasesIt() {
			ByteBufAllocator.DEFAULT.buffer(16).release();
		}

	}

}
