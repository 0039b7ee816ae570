package dev.grpcloop.boot.autoconfigure;

import java.util.ArrayList;
import java.util.List;

import dev.grpcloop.boot.metrics.MeterNames;

/**
 * What is measured.
 */
public class MetricsProperties {

	/**
	 * Whether to record the meters 'grpc.server' and 'grpc.engine' where Micrometer is
	 * there.
	 */
	private boolean enabled = true;

	/**
	 * Names under which calls are measured beside 'grpc.server', for dashboards that
	 * exist: 'a66' for those of gRPC's own libraries, 'net-devh' for those of net.devh's
	 * starter.
	 */
	private List<MeterNames> additionalNames = new ArrayList<>();

	public boolean isEnabled() {
		return this.enabled;
	}

	public void setEnabled(boolean enabled) {
		this.enabled = enabled;
	}

	public List<MeterNames> getAdditionalNames() {
		return this.additionalNames;
	}

	public void setAdditionalNames(List<MeterNames> additionalNames) {
		this.additionalNames = additionalNames;
	}

}
