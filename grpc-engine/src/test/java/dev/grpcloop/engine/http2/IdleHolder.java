package dev.grpcloop.engine.http2;

/**
 * A connection without a call, as its account sees it.
 *
 * @param idleNanos for how long; negative if it has a call
 * @param givesBack runs when it is to give something back
 * @param givesWay runs when it is to end
 */
record IdleHolder(long idleNanos, Runnable givesBack, Runnable givesWay) implements ConnectionMemory.Holder {

	IdleHolder(long idleNanos) {
		this(idleNanos, () -> {
		}, () -> {
		});
	}

	@Override
	public void giveBack() {
		this.givesBack.run();
	}

	@Override
	public void giveWay() {
		this.givesWay.run();
	}

}
