package dev.grpcloop.engine.call;

/**
 * A request message that waits for the service.
 *
 * @param compressed whether its flag says so
 * @param bytes the message; the array belongs to it
 * @param credit how many bytes of flow-control credit it holds
 */
record InboundMessage(boolean compressed, byte[] bytes, int credit) {

	/** This record, its place in a queue and the header of its array. */
	private static final int OVERHEAD = 64;

	/**
	 * How much memory the message takes: of five bytes on the wire come more than sixty
	 * here.
	 */
	long held() {
		return (long) this.bytes.length + OVERHEAD;
	}

}
