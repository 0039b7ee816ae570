package dev.grpcloop.engine;

import java.io.ByteArrayInputStream;
import java.io.File;
import java.io.InputStream;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.Proxy;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

import io.grpc.BinaryLog;
import io.grpc.BindableService;
import io.grpc.CompressorRegistry;
import io.grpc.DecompressorRegistry;
import io.grpc.HandlerRegistry;
import io.grpc.Metadata;
import io.grpc.MetricSink;
import io.grpc.ServerBuilder;
import io.grpc.ServerCallExecutorSupplier;
import io.grpc.ServerInterceptor;
import io.grpc.ServerServiceDefinition;
import io.grpc.ServerStreamTracer;
import io.grpc.ServerTransportFilter;
import io.grpc.util.MutableHandlerRegistry;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatNullPointerException;

/**
 * What the builder takes and what it refuses; it ignores nothing.
 */
class BuilderTests {

	/** What works; a new method of {@link ServerBuilder} belongs here or is refused. */
	private static final Set<String> OFFERED = Set.of("directExecutor", "executor", "addService", "addServices",
			"intercept", "addTransportFilter", "addStreamTracerFactory", "callExecutor", "fallbackHandlerRegistry",
			"decompressorRegistry", "compressorRegistry", "maxInboundMessageSize", "maxInboundMetadataSize", "build",
			"handshakeTimeout", "keepAliveTime", "keepAliveTimeout", "permitKeepAliveTime",
			"permitKeepAliveWithoutCalls", "maxConnectionIdle", "maxConnectionAge", "maxConnectionAgeGrace");

	static Stream<Method> methodsOfServerBuilder() {
		return Arrays.stream(ServerBuilder.class.getMethods())
			.filter((method) -> method.getDeclaringClass() == ServerBuilder.class)
			.filter((method) -> !Modifier.isStatic(method.getModifiers()));
	}

	@ParameterizedTest
	@MethodSource("methodsOfServerBuilder")
	void everyMethodOfTheBaseClassWorksOrIsRefused(Method method) throws Exception {
		EventLoopServerBuilder builder = EventLoopServerBuilder.forPort(0);
		ThrowingCallable call = () -> invoke(builder, method);
		if (OFFERED.contains(method.getName())) {
			Class<?> declaring = EventLoopServerBuilder.class.getMethod(method.getName(), method.getParameterTypes())
				.getDeclaringClass();
			assertThat(declaring == EventLoopServerBuilder.class || Modifier.isFinal(method.getModifiers()))
				.as("%s is overridden", method)
				.isTrue();
			assertThatCode(call).doesNotThrowAnyException();
		}
		else {
			assertThatExceptionOfType(UnsupportedOperationException.class).isThrownBy(call);
		}
	}

	@Test
	void aRefusalSaysWhatToDo() {
		EventLoopServerBuilder builder = EventLoopServerBuilder.forPort(0);
		assertThatExceptionOfType(UnsupportedOperationException.class).isThrownBy(() -> builder.addMetricSink(null))
			.withMessageContaining("addMetricSink")
			.withMessageContaining("telemetry");
		assertThatExceptionOfType(UnsupportedOperationException.class)
			.isThrownBy(() -> builder.useTransportSecurity(new File("a"), new File("b")))
			.withMessageContaining("useTransportSecurity");
	}

	@ParameterizedTest
	@ValueSource(ints = { 0, -1, Integer.MIN_VALUE })
	void numbersThatMustBePositiveAreChecked(int value) {
		EventLoopServerBuilder builder = EventLoopServerBuilder.forPort(0);
		refuses("workers is " + value, "at least 1", () -> builder.workers(value));
		refuses("maxConcurrentCallsPerConnection is " + value, "at least 1",
				() -> builder.maxConcurrentCallsPerConnection(value));
		refuses("maxInboundMetadataSize is " + value, "at least 1", () -> builder.maxInboundMetadataSize(value));
	}

	@Test
	void timesAreChecked() {
		EventLoopServerBuilder builder = EventLoopServerBuilder.forPort(0);
		refuses("handshakeTimeout is 0 SECONDS", "more than 0", () -> builder.handshakeTimeout(0, TimeUnit.SECONDS));
		refuses("headersTimeout is 0 SECONDS", "more than 0", () -> builder.headersTimeout(0, TimeUnit.SECONDS));
		refuses("writeStallTimeout is 0 SECONDS", "more than 0", () -> builder.writeStallTimeout(0, TimeUnit.SECONDS));
		refuses("keepAliveTime is -1 DAYS", "more than 0", () -> builder.keepAliveTime(-1, TimeUnit.DAYS));
		refuses("keepAliveTimeout is 0 SECONDS", "more than 0", () -> builder.keepAliveTimeout(0, TimeUnit.SECONDS));
		refuses("permitKeepAliveTime is -1", "at least 0", () -> builder.permitKeepAliveTime(-1, TimeUnit.SECONDS));
		refuses("maxConnectionIdle is 0 SECONDS", "more than 0", () -> builder.maxConnectionIdle(0, TimeUnit.SECONDS));
		refuses("maxConnectionAge is 0 SECONDS", "more than 0", () -> builder.maxConnectionAge(0, TimeUnit.SECONDS));
		refuses("maxConnectionAgeGrace is -1", "at least 0", () -> builder.maxConnectionAgeGrace(-1, TimeUnit.SECONDS));
	}

	@Test
	void sizesAreChecked() {
		EventLoopServerBuilder builder = EventLoopServerBuilder.forPort(0);
		refuses("maxInboundMessageSize is -1", "at least 0", () -> builder.maxInboundMessageSize(-1));
		assertThatCode(() -> builder.maxInboundMessageSize(0)).doesNotThrowAnyException();
		refuses("flowControlWindow is 65534", "at least 65535", () -> builder.flowControlWindow(65534));
		assertThatCode(() -> builder.flowControlWindow(Integer.MAX_VALUE)).doesNotThrowAnyException();
		refuses("maxBufferedPerCall is 65535", "at least 65536", () -> builder.maxBufferedPerCall(65535));
		assertThatCode(() -> builder.maxBufferedPerCall(65536)).doesNotThrowAnyException();
	}

	@Test
	void theThresholdOfTheWatchdogIsChecked() {
		EventLoopServerBuilder builder = EventLoopServerBuilder.forPort(0);
		refuses("blockedThreshold is PT-1S", "at least 1 ms", () -> builder.blockedThreshold(Duration.ofSeconds(-1)));
		refuses("blockedThreshold is PT0.000001S", "at least 1 ms",
				() -> builder.blockedThreshold(Duration.ofNanos(1000)));
		assertThatCode(() -> builder.blockedThreshold(Duration.ZERO)).doesNotThrowAnyException();
	}

	@ParameterizedTest
	@ValueSource(ints = { -1, 65536 })
	void portsAreChecked(int port) {
		assertThatIllegalArgumentException().isThrownBy(() -> EventLoopServerBuilder.forPort(port))
			.withMessageContaining(Integer.toString(port));
	}

	@Test
	void nothingIsRefusedAtOnce() {
		EventLoopServerBuilder builder = EventLoopServerBuilder.forPort(0);
		assertThatNullPointerException().isThrownBy(() -> builder.backend(null));
		assertThatNullPointerException().isThrownBy(() -> builder.intercept(null));
		assertThatNullPointerException().isThrownBy(() -> builder.eventLoopGroup(null));
		assertThatNullPointerException().isThrownBy(() -> builder.telemetry(null));
		assertThatNullPointerException().isThrownBy(() -> builder.addListenAddress(null));
		assertThatNullPointerException().isThrownBy(() -> builder.callExecutor(null));
		assertThatNullPointerException().isThrownBy(() -> builder.placement(null));
		assertThatNullPointerException().isThrownBy(() -> builder.addTransportFilter(null));
		assertThatNullPointerException().isThrownBy(() -> builder.addStreamTracerFactory(null));
		assertThatNullPointerException().isThrownBy(() -> EventLoopServerBuilder.forAddress(null));
		assertThatNullPointerException().isThrownBy(() -> builder.addService((BindableService) null));
		assertThatNullPointerException().isThrownBy(() -> builder.addService((ServerServiceDefinition) null));
	}

	@Test
	void aBuilderMayBuildSeveralServers() throws Exception {
		EventLoopServerBuilder builder = EventLoopServerBuilder.forAddress(new InetSocketAddress("127.0.0.1", 0))
			.workers(1)
			.addService(new EchoService());
		EventLoopServer first = builder.build();
		builder.addService(ServerServiceDefinition.builder("t.Later").build());
		EventLoopServer second = builder.build();
		assertThat(first.getServices()).hasSize(1);
		assertThat(second.getServices()).hasSize(2);
		first.start();
		second.start();
		assertThat(first.getPort()).isNotEqualTo(second.getPort());
		first.shutdownNow().awaitTermination();
		assertThat(second.isTerminated()).isFalse();
		second.shutdownNow().awaitTermination();
	}

	private static void refuses(String what, String allowed, ThrowingCallable call) {
		assertThatIllegalArgumentException().isThrownBy(call)
			.withMessageContaining(what)
			.withMessageContaining(allowed);
	}

	private static void invoke(ServerBuilder<?> builder, Method method) throws Throwable {
		try {
			method.invoke(builder, Arrays.stream(method.getParameterTypes()).map(BuilderTests::argument).toArray());
		}
		catch (InvocationTargetException ex) {
			throw ex.getCause();
		}
	}

	private static Object argument(Class<?> type) {
		if (type == long.class) {
			return 60L;
		}
		if (type == int.class) {
			return 1000;
		}
		if (type == boolean.class) {
			return true;
		}
		if (type == TimeUnit.class) {
			return TimeUnit.SECONDS;
		}
		if (type == File.class) {
			return new File("a.pem");
		}
		if (type == InputStream.class) {
			return new ByteArrayInputStream(new byte[0]);
		}
		if (type == List.class) {
			return List.of();
		}
		if (type == Executor.class) {
			return (Executor) Runnable::run;
		}
		if (type == BindableService.class) {
			return new EchoService();
		}
		if (type == ServerServiceDefinition.class) {
			return new EchoService().bindService();
		}
		if (Set.of(CompressorRegistry.class, DecompressorRegistry.class).contains(type)) {
			return null;
		}
		if (Set.of(HandlerRegistry.class, ServerInterceptor.class, ServerTransportFilter.class,
				ServerStreamTracer.Factory.class, BinaryLog.class, MetricSink.class, ServerCallExecutorSupplier.class)
			.contains(type)) {
			return instance(type);
		}
		throw new IllegalArgumentException("no argument of " + type);
	}

	private static Object instance(Class<?> type) {
		if (type.isInterface()) {
			return Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] { type },
					(proxy, method, arguments) -> null);
		}
		if (type == HandlerRegistry.class) {
			return new MutableHandlerRegistry();
		}
		if (type == ServerTransportFilter.class) {
			return new ServerTransportFilter() {
			};
		}
		if (type == ServerStreamTracer.Factory.class) {
			return new ServerStreamTracer.Factory() {

				@Override
				public ServerStreamTracer newServerStreamTracer(String fullMethodName, Metadata headers) {
					return new ServerStreamTracer() {
					};
				}

			};
		}
		return null;
	}

	@Test
	void aServerTellsItsLimits() {
		EventLoopServer server = EventLoopServerBuilder.forPort(0)
			.maxConcurrentCallsPerConnection(7)
			.flowControlWindow(70_000)
			.maxInboundMetadataSize(1234)
			.maxInboundMessageSize(5678)
			.build();
		assertThat(server.getConnectionPolicy().limits().maxConcurrentStreams()).isEqualTo(7);
		assertThat(server.getConnectionPolicy().limits().flowControlWindow()).isEqualTo(70_000);
		assertThat(server.getConnectionPolicy().limits().maxHeaderListSize()).isEqualTo(1234);
		assertThat(server.getMaxInboundMessageSize()).isEqualTo(5678);
		assertThat(server.getPendingTasks(0)).isZero();
	}

}
