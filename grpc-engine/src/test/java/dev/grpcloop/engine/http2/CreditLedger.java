package dev.grpcloop.engine.http2;

import java.util.HashMap;
import java.util.Map;

/**
 * What credit a client has to have, by arithmetic alone: it knows what was sent and what
 * the services have taken, and nothing of the engine.
 * <p>
 * A stream's credit is the window less what was received on it and not taken. The
 * connection's is the window less the part of that which was received while more than
 * {@link #LIMIT} bytes were held by all streams together.
 */
final class CreditLedger {

	static final int LIMIT = 16 * 1024 * 1024;

	private final int window;

	private final Map<Integer, Account> accounts = new HashMap<>();

	private long heldByAll;

	CreditLedger(int window) {
		this.window = window;
	}

	void opened(int streamId) {
		this.accounts.put(streamId, new Account());
	}

	/**
	 * Bytes of DATA without their padding came for a stream that is there.
	 */
	void received(int streamId, int bytes) {
		Account account = this.accounts.get(streamId);
		account.held += bytes;
		this.heldByAll += bytes;
		if (this.heldByAll > LIMIT) {
			account.owed += bytes;
		}
	}

	/**
	 * The service holds this much now.
	 */
	void holds(int streamId, long bytes) {
		Account account = this.accounts.get(streamId);
		long taken = account.held - bytes;
		if (taken < 0) {
			throw new AssertionError("stream " + streamId + " holds more than before");
		}
		account.held = bytes;
		this.heldByAll -= taken;
		account.owed -= Math.min(account.owed, taken);
	}

	void gone(int streamId) {
		holds(streamId, 0);
		this.accounts.remove(streamId);
	}

	long held(int streamId) {
		return this.accounts.get(streamId).held;
	}

	long heldByAll() {
		return this.heldByAll;
	}

	long streamCredit(int streamId) {
		return this.window - this.accounts.get(streamId).held;
	}

	long connectionCredit() {
		return this.window - this.accounts.values().stream().mapToLong((account) -> account.owed).sum();
	}

	private static final class Account {

		private long held;

		/** The part of what is held that the connection was not given back. */
		private long owed;

	}

}
