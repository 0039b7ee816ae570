package dev.grpcloop.engine.testsupport;

import java.util.List;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import org.junit.jupiter.api.Test;
import org.junit.platform.launcher.LauncherDiscoveryRequest;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;
import org.junit.platform.launcher.listeners.SummaryGeneratingListener;
import org.junit.platform.launcher.listeners.TestExecutionSummary;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectClass;

class BufferLeakExtensionTests {

	@Test
	void aClassThatLosesABufferFailsWithTheRecordOfTheLeak() {
		TestExecutionSummary summary = run(LeakFixtures.LosesABuffer.class);
		assertThat(summary.getTestsFailedCount()).isZero();
		assertThat(summary.getFailures()).singleElement().satisfies((failure) -> {
			assertThat(failure.getTestIdentifier().isContainer()).isTrue();
			assertThat(failure.getException()).isInstanceOf(AssertionError.class)
				.hasMessageContaining("1 buffer(s) were not released")
				.hasMessageContaining("LosesABuffer")
				.hasMessageContaining("lost on purpose");
		});
	}

	@Test
	void aClassThatReleasesItsBuffersPasses() {
		TestExecutionSummary summary = run(LeakFixtures.ReleasesItsBuffers.class);
		assertThat(summary.getTestsSucceededCount()).isOne();
		assertThat(summary.getFailures()).isEmpty();
	}

	@Test
	void everyLeakIsFoundAtOnceAndReportedOnce() {
		for (int i = 0; i < 50; i++) {
			ByteBufAllocator.DEFAULT.buffer(16).touch("lost on purpose, number " + i);
		}
		List<String> leaks = BufferLeaks.collect();
		assertThat(leaks).hasSize(50);
		assertThat(BufferLeaks.collect()).isEmpty();
	}

	@Test
	void aBufferThatIsInUseIsNoLeak() {
		ByteBuf buffer = ByteBufAllocator.DEFAULT.buffer(16);
		assertThat(BufferLeaks.collect()).isEmpty();
		buffer.release();
	}

	private static TestExecutionSummary run(Class<?> testClass) {
		LauncherDiscoveryRequest request = LauncherDiscoveryRequestBuilder.request()
			.selectors(selectClass(testClass))
			.build();
		SummaryGeneratingListener listener = new SummaryGeneratingListener();
		LauncherFactory.create().execute(request, listener);
		return listener.getSummary();
	}

}
