package dev.grpcloop.boot.controller;

import java.util.Iterator;
import java.util.concurrent.Flow;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;

import org.springframework.core.ResolvableType;

/**
 * In which form a method takes the requests of a call.
 */
enum RequestKind {

	/** The one request. */
	MESSAGE(null),

	/** An iterator whose {@code next} waits for the next request. */
	ITERATOR(Iterator.class.getName()),

	/** A stream over such an iterator. */
	STREAM(Stream.class.getName()),

	/** A publisher of the requests. */
	PUBLISHER(Flow.Publisher.class.getName()),

	/** The same for Reactor. */
	FLUX("reactor.core.publisher.Flux");

	private final @Nullable String container;

	RequestKind(@Nullable String container) {
		this.container = container;
	}

	/**
	 * Whether a method can only get a request by waiting for it.
	 */
	boolean waits() {
		return this == ITERATOR || this == STREAM;
	}

	/**
	 * Finds the form of a parameter.
	 * @param parameter its type, resolved in the class of the bean
	 * @param message the requests' type
	 * @return the form, or {@code null} if the parameter takes no requests of this type
	 */
	static @Nullable RequestKind of(ResolvableType parameter, Class<?> message) {
		Class<?> type = parameter.resolve();
		if (type == null) {
			return null;
		}
		if (type == message) {
			return MESSAGE;
		}
		for (RequestKind kind : values()) {
			if (type.getName().equals(kind.container) && parameter.getGeneric(0).resolve() == message) {
				return kind;
			}
		}
		return null;
	}

}
