package dev.grpcloop.boot.test.autoconfigure;

import java.lang.reflect.Constructor;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.Arrays;
import java.util.function.Function;

import io.grpc.Channel;
import io.grpc.ManagedChannel;
import io.grpc.stub.AbstractStub;
import org.jspecify.annotations.Nullable;

/**
 * Makes clients of the types that can be injected.
 */
final class ClientType {

	private ClientType() {
	}

	/**
	 * Says whether a type can be injected.
	 * @param type any type
	 * @return whether it is a type of channel or of a certain service's stub
	 */
	static boolean isClient(Class<?> type) {
		return type == Channel.class || type == ManagedChannel.class
				|| (AbstractStub.class.isAssignableFrom(type) && !Modifier.isAbstract(type.getModifiers()));
	}

	/**
	 * Makes a client.
	 * @param type a type of client
	 * @param channel what its calls go through
	 * @return the channel itself or a stub
	 * @throws IllegalStateException if it is a stub which nothing generated makes from a
	 * channel alone
	 */
	static Object create(Class<?> type, ManagedChannel channel) {
		return type.isInstance(channel) ? channel : newStub(type, channel);
	}

	private static Object newStub(Class<?> type, Channel channel) {
		Function<Channel, Object> factory = generatedMethod(type);
		if (factory == null) {
			factory = constructor(type);
		}
		if (factory == null) {
			throw new IllegalStateException("No " + type.getName() + " can be made for this test: neither has its "
					+ "enclosing class a public static method that takes an io.grpc.Channel and returns it, as those "
					+ "generated for Java have, nor itself a public constructor that takes one, as those generated for "
					+ "Kotlin. Inject an io.grpc.Channel and make the stub from it.");
		}
		return factory.apply(channel);
	}

	/** Such as {@code GreeterGrpc.newBlockingStub(Channel)}. */
	private static @Nullable Function<Channel, Object> generatedMethod(Class<?> type) {
		Class<?> generated = type.getEnclosingClass();
		if (generated == null) {
			return null;
		}
		return Arrays.stream(generated.getMethods())
			.filter((method) -> Modifier.isStatic(method.getModifiers()) && method.getReturnType() == type
					&& Arrays.equals(method.getParameterTypes(), new Class<?>[] { Channel.class }))
			.findFirst()
			.map(ClientType::caller)
			.orElse(null);
	}

	private static Function<Channel, Object> caller(Method method) {
		return (channel) -> call(() -> method.invoke(null, channel), method);
	}

	/** Such as {@code GreeterCoroutineStub(Channel)}. */
	private static @Nullable Function<Channel, Object> constructor(Class<?> type) {
		try {
			Constructor<?> constructor = type.getConstructor(Channel.class);
			return (channel) -> call(() -> constructor.newInstance(channel), constructor);
		}
		catch (NoSuchMethodException ex) {
			return null;
		}
	}

	private static Object call(ReflectiveCall call, Object member) {
		try {
			return call.make();
		}
		catch (InvocationTargetException ex) {
			throw new IllegalStateException(member + " failed", ex.getCause());
		}
		catch (ReflectiveOperationException ex) {
			throw new IllegalStateException(member + " cannot be called", ex);
		}
	}

	private interface ReflectiveCall {

		Object make() throws ReflectiveOperationException;

	}

}
