package dev.grpcloop.boot.service;

import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.Map;

import io.grpc.BindableService;
import io.grpc.ServerMethodDefinition;
import io.grpc.ServerServiceDefinition;
import org.jspecify.annotations.Nullable;

import org.springframework.aop.support.AopUtils;
import org.springframework.boot.diagnostics.FailureAnalyzedException;
import org.springframework.util.ClassUtils;

/**
 * Binds services so that each call goes through the proxy of its bean, once.
 * <p>
 * {@code bindService()} binds {@code this}. The one that is generated for base classes is
 * final: on a class-based proxy it runs on the proxy and binds it. Any other runs behind
 * the proxy and binds what it finds there, so that advice would never run; the proxy is
 * then bound the {@link GeneratedBinding generated} way.
 */
final class ServiceBinder {

	private final String name;

	private final BindableService service;

	private final Class<?> type;

	/**
	 * A binder of one service.
	 * @param name how messages call its bean
	 * @param service the bean
	 * @param type the class of the bean, as its author wrote it
	 */
	ServiceBinder(String name, BindableService service, Class<?> type) {
		this.name = name;
		this.service = service;
		this.type = type;
	}

	/**
	 * Binds the service.
	 * @return its methods
	 * @throws FailureAnalyzedException if calls would go past the advice of the bean
	 */
	ServerServiceDefinition bind() {
		if (!AopUtils.isAopProxy(this.service)) {
			return bindItself();
		}
		boolean classBased = AopUtils.isCglibProxy(this.service);
		ServerServiceDefinition definition = (classBased && bindsItself()) ? bindClassBasedProxy() : bindProxy();
		if (classBased) {
			refuseFinalMethods(definition);
		}
		return definition;
	}

	private ServerServiceDefinition bindItself() {
		ServerServiceDefinition definition = this.service.bindService();
		if (definition == null) {
			// a mock
			definition = generated(null);
		}
		if (definition == null) {
			throw new FailureAnalyzedException("bindService() of bean " + describe() + " returns null.",
					"Return the definition of the service, or remove the bean.");
		}
		return definition;
	}

	/** Asks the author's class: what a class-based proxy overrides is final in it. */
	private boolean bindsItself() {
		Method method = ClassUtils.getMethod(this.type, "bindService");
		return Modifier.isFinal(method.getModifiers());
	}

	/** A class-based proxy has the fields of its class, but nobody has set them. */
	private ServerServiceDefinition bindClassBasedProxy() {
		try {
			return this.service.bindService();
		}
		catch (RuntimeException ex) {
			throw new FailureAnalyzedException(
					"bindService() of bean " + describe()
							+ " failed: it is final, so it ran on the class-based proxy of the bean, whose fields are "
							+ "not set: " + ex,
					"Remove final from bindService(), or extend the class that protoc-gen-grpc-java generates for "
							+ "the service.",
					ex);
		}
	}

	private ServerServiceDefinition bindProxy() {
		ProxyTarget target = new ProxyTarget(this.service, this.type);
		ServerServiceDefinition own = target.apply((bean) -> ((BindableService) bean).bindService());
		ServerServiceDefinition generated = generated(own);
		if (generated != null && (own == null || isSame(own, generated))) {
			return generated;
		}
		ServerServiceDefinition bound = (own != null) ? own : this.service.bindService();
		refuseLostAdvice(target, bound);
		return bound;
	}

	private @Nullable ServerServiceDefinition generated(@Nullable ServerServiceDefinition own) {
		for (GeneratedBinding binding : GeneratedBinding.of(this.service)) {
			ServerServiceDefinition definition = binding.bind(this.service);
			if (own == null || serviceName(own).equals(serviceName(definition))) {
				return definition;
			}
		}
		return null;
	}

	/** Whether the author's bindService() does what the generated one does. */
	private static boolean isSame(ServerServiceDefinition own, ServerServiceDefinition generated) {
		if (own.getMethods().size() != generated.getMethods().size()) {
			return false;
		}
		for (ServerMethodDefinition<?, ?> method : own.getMethods()) {
			ServerMethodDefinition<?, ?> other = generated.getMethod(method.getMethodDescriptor().getFullMethodName());
			if (other == null || other.getMethodDescriptor() != method.getMethodDescriptor()
					|| other.getServerCallHandler().getClass() != method.getServerCallHandler().getClass()) {
				return false;
			}
		}
		return true;
	}

	private void refuseLostAdvice(ProxyTarget target, ServerServiceDefinition bound) {
		Map<Method, Object> advised = target
			.advised(ServiceMethods.of(this.type, bound.getServiceDescriptor()).values());
		if (advised.isEmpty()) {
			return;
		}
		Map.Entry<Method, Object> first = advised.entrySet().iterator().next();
		boolean classBased = AopUtils.isCglibProxy(this.service);
		throw new FailureAnalyzedException("Calls of " + serviceName(bound) + " would go past the proxy of bean "
				+ describe() + ": its bindService() binds the object behind the "
				+ (classBased ? "class-based" : "interface-based (JDK)") + " proxy, so that "
				+ first.getValue().getClass().getName() + " would not run around " + first.getKey().getName() + "().",
				classBased
						? "Extend the class that protoc-gen-grpc-java generates for the service, its name ends in "
								+ "ImplBase, and put interceptors into @GrpcService rather than into bindService()."
						: "Let Spring make class-based proxies (spring.aop.proxy-target-class=true, which is the "
								+ "default, or proxyTargetClass = true on the annotation that switches the advice on), "
								+ "or generate the service with protoc-gen-grpc-java 1.54 or newer.");
	}

	private void refuseFinalMethods(ServerServiceDefinition definition) {
		for (Method method : ServiceMethods.of(this.type, definition.getServiceDescriptor()).values()) {
			if (Modifier.isFinal(method.getModifiers())) {
				throw new FailureAnalyzedException(
						"Calls of " + serviceName(definition) + " would go past the proxy of bean " + describe()
								+ ": its method " + method.getName()
								+ "() is final, so that it runs on the class-based proxy itself, without advice and "
								+ "without the fields of the bean.",
						"Remove final from " + method.getDeclaringClass().getName() + "." + method.getName()
								+ "(); in Kotlin, the plugin kotlin-spring opens the methods of Spring's beans.");
			}
		}
	}

	private String describe() {
		return "'" + this.name + "' (" + this.type.getName() + ")";
	}

	private static String serviceName(ServerServiceDefinition definition) {
		return definition.getServiceDescriptor().getName();
	}

}
