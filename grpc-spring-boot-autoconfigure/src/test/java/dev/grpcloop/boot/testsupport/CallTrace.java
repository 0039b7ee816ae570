package dev.grpcloop.boot.testsupport;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/**
 * What happened in a call, in order.
 */
public final class CallTrace {

	private final List<String> steps = new CopyOnWriteArrayList<>();

	public void add(String step) {
		this.steps.add(step);
	}

	public String take() {
		String taken = String.join(" ", this.steps);
		this.steps.clear();
		return taken;
	}

}
