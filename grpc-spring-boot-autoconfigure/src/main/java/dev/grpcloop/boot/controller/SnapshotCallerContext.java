package dev.grpcloop.boot.controller;

import io.micrometer.context.ContextSnapshot;
import io.micrometer.context.ContextSnapshotFactory;

/**
 * Whatever Micrometer's context propagation knows of, such as the observation and the
 * security context.
 */
final class SnapshotCallerContext implements CallerContext {

	private final ContextSnapshotFactory snapshots = ContextSnapshotFactory.builder().build();

	@Override
	public Scope capture() {
		ContextSnapshot snapshot = this.snapshots.captureAll();
		return (work) -> snapshot.wrap(work).run();
	}

}
