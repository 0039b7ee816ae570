package dev.grpcloop.engine.http2;

/**
 * Finds out whether a peer that speaks no HTTP/2 speaks HTTP/1.1: whether its first line
 * is {@code METHOD target HTTP/1.1} (RFC 9112 section 3). The line is not kept, but for
 * its beginning, which is for the log.
 * <p>
 * Owned by the event loop.
 */
final class RequestLineScan {

	/** As much as most servers take. */
	private static final int MAX_LENGTH = 8 * 1024;

	private static final int MAX_METHOD_LENGTH = 16;

	private static final int KEPT = 32;

	/** {@code HTTP/1.1} in ASCII. */
	private static final long HTTP_1_1 = 0x485454502f312e31L;

	private final StringBuilder beginning = new StringBuilder(KEPT);

	private Verdict verdict = Verdict.UNDECIDED;

	private int length;

	private int methodLength = -1;

	/** The last eight bytes but for a carriage return. */
	private long last;

	Verdict verdict() {
		return this.verdict;
	}

	/**
	 * The next byte has come. Once there is a verdict it is kept for the log, no more.
	 */
	void read(byte next) {
		keep(next & 0xff);
		if (this.verdict == Verdict.UNDECIDED) {
			this.verdict = (this.methodLength < 0) ? inMethod(next) : afterMethod(next);
			this.length++;
		}
	}

	private Verdict inMethod(byte next) {
		if (next == ' ' && this.length > 0) {
			this.methodLength = this.length;
			return Verdict.UNDECIDED;
		}
		boolean letter = next >= 'A' && next <= 'Z';
		return (letter && this.length < MAX_METHOD_LENGTH) ? Verdict.UNDECIDED : Verdict.OTHER;
	}

	private Verdict afterMethod(byte next) {
		if (next == '\n') {
			return (this.last == HTTP_1_1) ? Verdict.HTTP_1_1 : Verdict.OTHER;
		}
		if (next != '\r') {
			this.last = this.last << 8 | next;
		}
		boolean legal = next == '\r' || next >= ' ' && next < 0x7f;
		return (legal && this.length < MAX_LENGTH) ? Verdict.UNDECIDED : Verdict.OTHER;
	}

	private void keep(int next) {
		if (this.beginning.length() < KEPT) {
			if (next >= ' ' && next < 0x7f) {
				this.beginning.append((char) next);
			}
			else {
				this.beginning.append("\\x")
					.append(Character.forDigit(next >> 4, 16))
					.append(Character.forDigit(next & 15, 16));
			}
		}
	}

	/**
	 * Returns what the peer began with, in printable characters.
	 */
	String beginning() {
		return this.beginning.toString();
	}

	/**
	 * What the peer speaks.
	 */
	enum Verdict {

		/** The line is not at its end. */
		UNDECIDED,

		/** HTTP/1.1, or what looks like it. */
		HTTP_1_1,

		/** Something that would not understand an answer. */
		OTHER

	}

}
