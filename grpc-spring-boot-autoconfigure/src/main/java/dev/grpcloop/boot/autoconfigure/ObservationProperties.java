package dev.grpcloop.boot.autoconfigure;

import dev.grpcloop.boot.observation.ObservationRecorder;

/**
 * What others are told of calls.
 */
public class ObservationProperties {

	/**
	 * Whether to observe calls: the meters 'grpc.server' and, where there is a tracer,
	 * spans.
	 */
	private boolean enabled = true;

	/**
	 * Who observes calls. By default, an interceptor does where the application has a
	 * tracer or any other use for observations; else the engine writes the same meters at
	 * a fraction of the cost.
	 */
	private ObservationRecorder recorder = ObservationRecorder.AUTO;

	public boolean isEnabled() {
		return this.enabled;
	}

	public void setEnabled(boolean enabled) {
		this.enabled = enabled;
	}

	public ObservationRecorder getRecorder() {
		return this.recorder;
	}

	public void setRecorder(ObservationRecorder recorder) {
		this.recorder = recorder;
	}

}
