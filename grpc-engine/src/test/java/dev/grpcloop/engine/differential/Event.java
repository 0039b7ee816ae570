package dev.grpcloop.engine.differential;

/**
 * When a service acts. Several messages have their events in turn.
 */
enum Event {

	START, READY, FIRST_MESSAGE, LATER_MESSAGE, HALF_CLOSE, COMPLETE, CANCEL

}
