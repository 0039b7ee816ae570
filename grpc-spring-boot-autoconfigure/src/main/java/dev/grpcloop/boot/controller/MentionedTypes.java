package dev.grpcloop.boot.controller;

import java.lang.reflect.Method;
import java.util.HashSet;
import java.util.Set;

import org.jspecify.annotations.Nullable;

import org.springframework.core.ResolvableType;

/**
 * All types in a method's signature, those of type arguments and arrays too.
 */
final class MentionedTypes {

	/** Bounds of type variables may go round in circles. */
	private static final int MAX_DEPTH = 6;

	private final Set<Class<?>> types = new HashSet<>();

	private MentionedTypes() {
	}

	static MentionedTypes of(Method method, Class<?> beanType) {
		MentionedTypes mentioned = new MentionedTypes();
		mentioned.add(ResolvableType.forMethodReturnType(method, beanType), 0);
		for (int i = 0; i < method.getParameterCount(); i++) {
			mentioned.add(ResolvableType.forMethodParameter(method, i, beanType), 0);
		}
		return mentioned;
	}

	private void add(ResolvableType type, int depth) {
		if (depth > MAX_DEPTH || type == ResolvableType.NONE) {
			return;
		}
		Class<?> resolved = type.resolve();
		if (resolved != null) {
			this.types.add(resolved);
		}
		if (type.isArray()) {
			add(type.getComponentType(), depth + 1);
		}
		for (ResolvableType generic : type.getGenerics()) {
			add(generic, depth + 1);
		}
	}

	/**
	 * Finds one of some types here.
	 * @param wanted the types
	 * @return the first that is mentioned, or {@code null}
	 */
	@Nullable Class<?> first(Set<Class<?>> wanted) {
		return wanted.stream().filter(this.types::contains).findFirst().orElse(null);
	}

}
