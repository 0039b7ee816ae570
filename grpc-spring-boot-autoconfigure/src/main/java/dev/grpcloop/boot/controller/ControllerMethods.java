package dev.grpcloop.boot.controller;

import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

import dev.grpcloop.boot.GrpcMethod;
import org.jspecify.annotations.Nullable;

import org.springframework.boot.diagnostics.FailureAnalyzedException;
import org.springframework.core.BridgeMethodResolver;
import org.springframework.core.annotation.MergedAnnotations;
import org.springframework.core.annotation.MergedAnnotations.SearchStrategy;
import org.springframework.util.ReflectionUtils;

/**
 * Finds the methods of a class that serve the RPCs of a service, and those that look as
 * if they should.
 */
final class ControllerMethods {

	private final ServiceContract contract;

	private final Class<?> beanType;

	private final String bean;

	private final Map<RpcContract, Method> found = new LinkedHashMap<>();

	private ControllerMethods(ServiceContract contract, Class<?> beanType, String bean) {
		this.contract = contract;
		this.beanType = beanType;
		this.bean = bean;
	}

	/**
	 * Finds the methods.
	 * @param contract the service
	 * @param beanType the class, as its author wrote it
	 * @param bean the bean, for the messages
	 * @return the RPCs that have a method, in the order of the service
	 * @throws FailureAnalyzedException if a method is in doubt
	 */
	static Map<RpcContract, Method> find(ServiceContract contract, Class<?> beanType, String bean) {
		return new ControllerMethods(contract, beanType, bean).find();
	}

	private Map<RpcContract, Method> find() {
		Set<Method> methods = publicMethods();
		methods.forEach(this::bind);
		methods.forEach(this::refuseDoubtful);
		refuseHidden();
		Map<RpcContract, Method> ordered = new LinkedHashMap<>();
		this.contract.rpcs()
			.stream()
			.filter(this.found::containsKey)
			.forEach((rpc) -> ordered.put(rpc, this.found.get(rpc)));
		return ordered;
	}

	/** Instead of bridges, what they lead to. */
	private Set<Method> publicMethods() {
		Set<Method> methods = new LinkedHashSet<>();
		for (Method method : this.beanType.getMethods()) {
			Method bridged = BridgeMethodResolver.findBridgedMethod(method);
			if (bridged.getDeclaringClass() != Object.class && !bridged.isSynthetic()) {
				methods.add(bridged);
			}
		}
		return methods;
	}

	private void bind(Method method) {
		RpcContract rpc = rpcOf(method);
		if (rpc == null) {
			return;
		}
		if (Modifier.isStatic(method.getModifiers())) {
			throw failure(describe(method) + " would serve " + rpc.fullName() + ", but it is static.",
					"Make it an instance method, or give it another name.");
		}
		Method other = this.found.putIfAbsent(rpc, method);
		if (other != null) {
			throw failure(
					"both " + describe(other) + " and " + describe(method) + " would serve " + rpc.fullName() + ".",
					"Keep one of them public under this name; a method with @GrpcMethod serves the RPC that this names "
							+ "and no other.");
		}
	}

	private @Nullable RpcContract rpcOf(Method method) {
		String named = named(method);
		if (named != null) {
			return named(method, named);
		}
		return first((rpc) -> rpc.javaName().equals(method.getName()));
	}

	private RpcContract named(Method method, String name) {
		RpcContract rpc = first((candidate) -> candidate.bareName().equals(name) || candidate.fullName().equals(name));
		if (rpc == null) {
			throw failure(
					describe(method) + " is a @GrpcMethod(\"" + name + "\"), but the service has no RPC of that name.",
					"Name one of its RPCs as the .proto file does: "
							+ this.contract.rpcs().stream().map(RpcContract::bareName).collect(Collectors.joining(", "))
							+ ".");
		}
		return rpc;
	}

	private @Nullable RpcContract first(java.util.function.Predicate<RpcContract> condition) {
		Optional<RpcContract> rpc = this.contract.rpcs().stream().filter(condition).findFirst();
		return rpc.orElse(null);
	}

	private static @Nullable String named(Method method) {
		return MergedAnnotations.from(method, SearchStrategy.TYPE_HIERARCHY)
			.get(GrpcMethod.class)
			.getValue("value", String.class)
			.orElse(null);
	}

	private void refuseDoubtful(Method method) {
		if (this.found.containsValue(method)) {
			return;
		}
		for (Method served : this.found.values()) {
			if (served.getName().equals(method.getName())) {
				throw failure(describe(method) + " is an overload of " + describe(served) + ", which serves an RPC.",
						"Give it another name, or make it not public.");
			}
		}
		Class<?> message = MentionedTypes.of(method, this.beanType).first(this.contract.messageTypes());
		if (message != null) {
			throw failure(
					describe(method) + " is public and has " + message.getSimpleName()
							+ ", a message of the service, in its signature, but it serves no RPC.",
					"Name it as its RPC is called in Java ("
							+ this.contract.rpcs().stream().map(RpcContract::javaName).collect(Collectors.joining(", "))
							+ "), put @GrpcMethod on it with the RPC's name, or make it not public.");
		}
	}

	private void refuseHidden() {
		for (Method method : ReflectionUtils.getAllDeclaredMethods(this.beanType)) {
			if (!Modifier.isPublic(method.getModifiers()) && !method.isSynthetic() && named(method) != null) {
				throw failure(describe(method) + " is a @GrpcMethod, but it is not public.", "Make it public.");
			}
		}
	}

	private FailureAnalyzedException failure(String what, String action) {
		return new FailureAnalyzedException(
				this.bean + " is a @GrpcController of " + this.contract.descriptor().getName() + ": " + what, action);
	}

	/**
	 * Writes a method so that its author finds it.
	 * @param method the method
	 * @return for example {@code GreeterController.hello(HelloRequest)}
	 */
	static String describe(Method method) {
		StringBuilder text = new StringBuilder(method.getDeclaringClass().getSimpleName()).append('.')
			.append(method.getName())
			.append('(');
		String separator = "";
		for (Class<?> parameter : method.getParameterTypes()) {
			text.append(separator).append(parameter.getSimpleName());
			separator = ", ";
		}
		return text.append(')').toString();
	}

}
