package dev.grpcloop.engine.differential;

/**
 * Acts until something is thrown. grpc-java's server goes on with the callbacks of a
 * listener that has thrown, and if that sends headers the whole connection ends.
 */
final class Actor {

	private final CallScript script;

	private final Responder responder;

	private boolean failed;

	Actor(CallScript script, Responder responder) {
		this.script = script;
		this.responder = responder;
	}

	void at(Event event) {
		if (this.failed) {
			return;
		}
		this.failed = true;
		this.responder.perform(this.script.at(event));
		this.failed = false;
	}

}
