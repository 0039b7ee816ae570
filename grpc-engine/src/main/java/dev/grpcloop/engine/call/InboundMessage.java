package dev.grpcloop.engine.call;

/**
 * A request message that waits for the service.
 *
 * @param compressed whether its flag says so
 * @param bytes the message; the array belongs to it
 * @param credit how many bytes of flow-control credit it holds
 */
record InboundMessage(boolean compressed, byte[] bytes, int credit) {
}
