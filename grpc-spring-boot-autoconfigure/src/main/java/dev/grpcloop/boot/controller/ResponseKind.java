package dev.grpcloop.boot.controller;

import java.util.Iterator;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Flow;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;

import org.springframework.core.ResolvableType;
import org.springframework.util.ClassUtils;

/**
 * In which form a method gives the responses of a call.
 */
enum ResponseKind {

	/** The one response. */
	MESSAGE(false, null),

	/** A stage that completes with it. */
	STAGE(false, CompletionStage.class.getName()),

	/** The same for Reactor. */
	MONO(false, "reactor.core.publisher.Mono"),

	/** An iterator, consumed when the method has returned. */
	ITERATOR(true, Iterator.class.getName()),

	/** A stream, consumed when the method has returned. */
	STREAM(true, Stream.class.getName()),

	/** A publisher, subscribed to when the method has returned. */
	PUBLISHER(true, Flow.Publisher.class.getName()),

	/** The same for Reactor. */
	FLUX(true, "reactor.core.publisher.Flux"),

	/** Nothing is returned: a parameter takes the responses. */
	SINK(true, null);

	private final boolean many;

	private final @Nullable String container;

	ResponseKind(boolean many, @Nullable String container) {
		this.many = many;
		this.container = container;
	}

	/**
	 * Whether the form is for RPCs with a stream of responses; the others are for those
	 * with one.
	 */
	boolean isMany() {
		return this.many;
	}

	/**
	 * Whether a response is only there when all that it is made from has been waited for.
	 */
	boolean waits() {
		return this == MESSAGE || this == ITERATOR || this == STREAM;
	}

	/**
	 * Finds the form of a result.
	 * @param result the type that a method returns, resolved in the class of the bean
	 * @param message the responses' type
	 * @return the form, or {@code null} if the result gives no responses of this type
	 */
	static @Nullable ResponseKind of(ResolvableType result, Class<?> message) {
		Class<?> type = result.resolve();
		if (type == null) {
			return null;
		}
		if (message.isAssignableFrom(type)) {
			return MESSAGE;
		}
		for (ResponseKind kind : values()) {
			if (kind.container != null && kind.contains(result, type, message)) {
				return kind;
			}
		}
		return null;
	}

	private boolean contains(ResolvableType result, Class<?> type, Class<?> message) {
		ClassLoader classLoader = type.getClassLoader();
		if (!ClassUtils.isPresent(String.valueOf(this.container), classLoader)) {
			return false;
		}
		Class<?> container = ClassUtils.resolveClassName(String.valueOf(this.container), classLoader);
		Class<?> element = result.as(container).getGeneric(0).resolve();
		return element != null && message.isAssignableFrom(element);
	}

}
