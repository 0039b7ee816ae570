package dev.grpcloop.engine.testsupport;

import java.util.List;
import java.util.stream.Collectors;

import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * Fails a test class in whose run a Netty buffer was lost (case B44). It registers
 * itself: a module that has the test jar on its class path has it in all its tests.
 * <p>
 * It finds what Netty tracks, so the tests run with
 * {@code -Dio.netty.leakDetection.level=paranoid}.
 */
public final class BufferLeakExtension implements BeforeAllCallback, AfterAllCallback {

	private static final int MAX_RECORDS = 5;

	/**
	 * Created by the service loader.
	 */
	public BufferLeakExtension() {
		BufferLeaks.install();
	}

	@Override
	public void beforeAll(ExtensionContext context) {
		// the constructor has done it; an extension without callbacks is not registered
	}

	@Override
	public void afterAll(ExtensionContext context) {
		if (isNested(context)) {
			return;
		}
		List<String> leaks = BufferLeaks.collect();
		if (!leaks.isEmpty()) {
			throw new AssertionError(leaks.size()
					+ " buffer(s) were not released before they were garbage-collected. Seen after "
					+ context.getDisplayName() + "; the records say where each was last used, of the first "
					+ MAX_RECORDS + ":\n" + leaks.stream().limit(MAX_RECORDS).collect(Collectors.joining("\n")));
		}
	}

	private static boolean isNested(ExtensionContext context) {
		return context.getParent().flatMap(ExtensionContext::getTestClass).isPresent();
	}

}
