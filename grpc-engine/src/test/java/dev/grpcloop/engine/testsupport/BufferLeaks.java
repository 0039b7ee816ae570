package dev.grpcloop.engine.testsupport;

import java.lang.ref.PhantomReference;
import java.lang.ref.ReferenceQueue;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CopyOnWriteArrayList;

import io.netty.buffer.Unpooled;
import io.netty.util.ResourceLeakDetector;
import io.netty.util.ResourceLeakDetectorFactory;

/**
 * The Netty buffers that were lost without a {@code release()}.
 */
public final class BufferLeaks {

	/** The collector is asked this often before the run is given up. */
	private static final int MAX_COLLECTIONS = 100;

	private static final int COLLECTION_TIMEOUT_MILLIS = 200;

	private static final Queue<String> REPORTS = new ConcurrentLinkedQueue<>();

	private static final List<RecordingLeakDetector<?>> DETECTORS = new CopyOnWriteArrayList<>();

	private static boolean installed;

	private BufferLeaks() {
	}

	/**
	 * Begins to keep Netty's reports. Later calls change nothing.
	 * @throws IllegalStateException if Netty's buffers were used before, so that another
	 * detector watches them
	 */
	public static synchronized void install() {
		if (installed) {
			return;
		}
		ResourceLeakDetectorFactory.setResourceLeakDetectorFactory(new RecordingFactory());
		// Netty asks for the detector of buffers once, when it loads their class
		Unpooled.buffer(1).release();
		if (DETECTORS.isEmpty()) {
			throw new IllegalStateException("Netty's buffers were used before the leak detector was in place; "
					+ "BufferLeaks.install() must run before the first buffer is made");
		}
		installed = true;
	}

	/**
	 * Collects garbage until it is certain that every lost buffer was found, and takes
	 * the reports.
	 * @return a record of each leak, or of each place that leaks where several buffers
	 * have the same record; empty if there is none
	 * @throws IllegalStateException if the virtual machine does not collect on request
	 */
	public static List<String> collect() {
		// the references that one collection finds are enqueued in no order, but before
		// those that the next finds: when the second canary is dead, all that died with
		// the first are enqueued
		awaitCollection();
		awaitCollection();
		DETECTORS.forEach(RecordingLeakDetector::report);
		List<String> reports = new ArrayList<>();
		String report;
		while ((report = REPORTS.poll()) != null) {
			reports.add(report);
		}
		return reports;
	}

	private static void awaitCollection() {
		ReferenceQueue<Object> dead = new ReferenceQueue<>();
		PhantomReference<Object> canary = new PhantomReference<>(new Object(), dead);
		for (int i = 0; i < MAX_COLLECTIONS; i++) {
			System.gc();
			if (isDead(dead)) {
				return;
			}
		}
		throw new IllegalStateException("The virtual machine has not collected " + canary + " in " + MAX_COLLECTIONS
				+ " requests; leaks cannot be found with -XX:+DisableExplicitGC");
	}

	private static boolean isDead(ReferenceQueue<Object> dead) {
		try {
			return dead.remove(COLLECTION_TIMEOUT_MILLIS) != null;
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			throw new IllegalStateException("Interrupted while the garbage was collected", ex);
		}
	}

	private static final class RecordingFactory extends ResourceLeakDetectorFactory {

		@Override
		@SuppressWarnings("deprecation")
		public <T> ResourceLeakDetector<T> newResourceLeakDetector(Class<T> type, int samplingInterval,
				long maxActive) {
			return newResourceLeakDetector(type, samplingInterval);
		}

		@Override
		public <T> ResourceLeakDetector<T> newResourceLeakDetector(Class<T> type, int samplingInterval) {
			RecordingLeakDetector<T> detector = new RecordingLeakDetector<>(type, samplingInterval, REPORTS);
			DETECTORS.add(detector);
			return detector;
		}

	}

}
