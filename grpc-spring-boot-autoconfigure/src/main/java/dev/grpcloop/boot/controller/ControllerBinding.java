package dev.grpcloop.boot.controller;

import java.lang.reflect.Method;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Executor;
import java.util.stream.Collectors;

import dev.grpcloop.boot.controller.MethodReader.ShapeException;
import dev.grpcloop.boot.executor.CallTaskExecutor;
import io.grpc.BindableService;
import io.grpc.MethodDescriptor;
import io.grpc.ServerServiceDefinition;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;

import org.springframework.aop.framework.AopProxyUtils;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.boot.diagnostics.FailureAnalyzedException;
import org.springframework.util.ClassUtils;

/**
 * A bean of plain methods and what it serves.
 *
 * @param beanType the class of the bean, as its author wrote it
 * @param definition its service
 * @param methods full name of an RPC to the method that serves it
 * @param waitingMethods full names of the RPCs whose methods wait for requests
 */
record ControllerBinding(Class<?> beanType, ServerServiceDefinition definition, Map<String, Method> methods,
		Set<String> waitingMethods) {

	private static final Log logger = LogFactory.getLog(ControllerBinding.class);

	/**
	 * Binds a bean.
	 * @param beanName its name
	 * @param generated the class that was generated for its service
	 * @param beanFactory knows it
	 * @return what it serves
	 * @throws FailureAnalyzedException if its methods cannot serve
	 */
	static ControllerBinding of(String beanName, Class<?> generated, BeanFactory beanFactory) {
		Object bean = beanFactory.getBean(beanName);
		Class<?> beanType = ClassUtils.getUserClass(AopProxyUtils.ultimateTargetClass(bean));
		String name = "Bean '" + beanName + "' (" + beanType.getName() + ")";
		refuseBindable(beanType, name);
		ServiceContract contract = ServiceContract.of(generated, name);
		Map<RpcContract, Method> found = ControllerMethods.find(contract, beanType, name);
		Executor executor = beanFactory.getBean(CallTaskExecutor.class)::execute;
		CallerContext callerContext = CallerContexts.of(beanFactory, ControllerBinding.class.getClassLoader());
		ServerServiceDefinition.Builder definition = ServerServiceDefinition.builder(contract.descriptor());
		Map<String, Method> methods = new LinkedHashMap<>();
		Set<String> waiting = new LinkedHashSet<>();
		for (RpcContract rpc : contract.rpcs()) {
			Method method = found.get(rpc);
			if (method == null) {
				addUnimplemented(definition, rpc.descriptor());
				continue;
			}
			MethodShape shape = shape(beanType, rpc, method, name);
			MethodInvoker invoker = MethodInvoker.of(bean, InvocableMethod.of(bean, method, beanType, name), shape);
			BoundMethod bound = new BoundMethod(ControllerMethods.describe(method), rpc, shape, invoker);
			addMethod(definition, rpc.descriptor(), bound, executor, callerContext);
			methods.put(rpc.fullName(), method);
			if (shape.waitsForRequests()) {
				waiting.add(rpc.fullName());
			}
		}
		logUnimplemented(name, contract.rpcs().stream().filter((rpc) -> !found.containsKey(rpc)).toList());
		return new ControllerBinding(beanType, definition.build(), Map.copyOf(methods), Set.copyOf(waiting));
	}

	private static void refuseBindable(Class<?> beanType, String bean) {
		if (BindableService.class.isAssignableFrom(beanType)) {
			throw new FailureAnalyzedException(
					bean + " is marked @GrpcController, but it is an io.grpc.BindableService already: it would be "
							+ "served twice.",
					"Remove the annotation, or the base class that protoc-gen-grpc-java has generated.");
		}
	}

	private static MethodShape shape(Class<?> beanType, RpcContract rpc, Method method, String bean) {
		try {
			return MethodReader.read(beanType, rpc, method);
		}
		catch (ShapeException ex) {
			throw new FailureAnalyzedException(bean + ": " + ControllerMethods.describe(method) + " cannot serve "
					+ rpc.describe() + ": " + ex.getMessage() + ".", AllowedShapes.of(rpc));
		}
	}

	private static <Q, R> void addMethod(ServerServiceDefinition.Builder definition, MethodDescriptor<Q, R> descriptor,
			BoundMethod method, Executor executor, CallerContext callerContext) {
		definition.addMethod(descriptor, new MethodHandler<>(method, executor, callerContext));
	}

	private static <Q, R> void addUnimplemented(ServerServiceDefinition.Builder definition,
			MethodDescriptor<Q, R> descriptor) {
		definition.addMethod(descriptor, new UnimplementedHandler<>());
	}

	private static void logUnimplemented(String bean, List<RpcContract> rpcs) {
		if (!rpcs.isEmpty()) {
			logger.info(bean + " has no method for "
					+ rpcs.stream().map(RpcContract::fullName).collect(Collectors.joining(", "))
					+ ": calls are answered with UNIMPLEMENTED");
		}
	}

}
