package dev.grpcloop.engine.testsupport;

import java.util.Queue;

import io.netty.util.ResourceLeakDetector;
import io.netty.util.ResourceLeakTracker;

/**
 * Keeps the reports that Netty's detector would log, whether or not its log is on.
 *
 * @param <T> the type of the tracked objects
 */
final class RecordingLeakDetector<T> extends ResourceLeakDetector<T> {

	private final Queue<String> reports;

	RecordingLeakDetector(Class<T> type, int samplingInterval, Queue<String> reports) {
		super(type, samplingInterval);
		this.reports = reports;
	}

	/**
	 * Makes the detector report what the collector has found: it does so only when it
	 * begins to track something.
	 */
	void report() {
		@SuppressWarnings("unchecked")
		T something = (T) new Object();
		ResourceLeakTracker<T> tracker = trackForcibly(something);
		if (tracker != null) {
			tracker.close(something);
		}
	}

	@Override
	protected boolean needReport() {
		return true;
	}

	@Override
	protected void reportTracedLeak(String resourceType, String records) {
		this.reports.add(resourceType + records);
	}

	@Override
	protected void reportUntracedLeak(String resourceType) {
		this.reports.add(resourceType + ", with no record: set -Dio.netty.leakDetection.level=paranoid");
	}

}
