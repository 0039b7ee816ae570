package dev.grpcloop.boot.autoconfigure;

import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import dev.grpcloop.engine.EventLoopServerBuilder;
import dev.grpcloop.engine.http2.AbuseLimits;
import dev.grpcloop.engine.http2.ConnectionLife;
import dev.grpcloop.engine.http2.ConnectionPolicy;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import org.springframework.boot.context.properties.bind.Bindable;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.context.properties.source.MapConfigurationPropertySource;
import org.springframework.boot.convert.ApplicationConversionService;
import org.springframework.test.util.ReflectionTestUtils;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * How what the properties say of connections arrives at the engine.
 */
class BuilderTransferTests {

	private static final String NONE = String.valueOf(ConnectionLife.NEVER);

	@Test
	void withoutPropertiesTheEngineHasItsOwnDefaultsButForTheGraceOfOldConnections() {
		Map<String, String> ours = numbers(policy(Map.of()));
		Map<String, String> engines = numbers(policy(EventLoopServerBuilder.forPort(0)));
		assertThat(differing(ours, engines)).containsExactly("ageGraceNanos");
		assertThat(ours).containsEntry("ageGraceNanos", "30000000000");
	}

	@ParameterizedTest
	@CsvSource({ "max-concurrent-calls-per-connection,7,maxConcurrentStreams,7",
			"flow-control.window,100000,flowControlWindow,100000", "flow-control.window,2MB,flowControlWindow,2097152",
			"inbound.metadata.max-size,16KB,maxHeaderListSize,16384", "handshake-timeout,7,handshakeNanos,7000000000",
			"handshake-timeout,7ms,handshakeNanos,7000000", "inbound.headers-timeout,7,headersNanos,7000000000",
			"flow-control.stall-timeout,7,stallNanos,7000000000", "keepalive.time,7,keepAliveNanos,7000000000",
			"keepalive.time,2000d,keepAliveNanos,", "keepalive.timeout,7,keepAliveTimeoutNanos,7000000000",
			"keepalive.permit.time,7,permitNanos,7000000000", "keepalive.permit.time,0,permitNanos,0",
			"keepalive.permit.without-calls,true,permitWithoutCalls,true",
			"keepalive.connection.max-idle-time,7,maxIdleNanos,7000000000",
			"keepalive.connection.max-age,7,maxAgeNanos,7000000000",
			"keepalive.connection.max-age,2000000d,maxAgeNanos,",
			"keepalive.connection.grace-period,7,ageGraceNanos,7000000000",
			"keepalive.connection.grace-period,0,ageGraceNanos,0", "guard.period,7,periodNanos,7000000000",
			"guard.resets,7,resets,7", "guard.resets,0,resets,0", "guard.protocol-faults,7,protocolFaults,7",
			"guard.settings,7,settings,7", "guard.control-frames,7,controlFrames,7",
			"guard.empty-frames,7,emptyFrames,7", "guard.tiny-frames,7,tinyFrames,7",
			"guard.small-continuations,7,smallContinuations,7" })
	void aPropertyChangesItsNumberAndNoOther(String property, String value, String number, String expected) {
		Map<String, String> defaults = numbers(policy(Map.of()));
		Map<String, String> changed = numbers(policy(Map.of("grpc.server." + property, value)));
		assertThat(changed).containsEntry(number, Objects.requireNonNullElse(expected, NONE));
		assertThat(differing(changed, defaults)).isSubsetOf(number);
	}

	@Test
	void theSizesReachTheBuilder() {
		EventLoopServerBuilder builder = builder(Map.of("grpc.server.flow-control.max-buffered-per-call", "65536",
				"grpc.server.flow-control.max-buffered", "8GB", "grpc.server.inbound.message.max-size", "7"));
		assertThat(ReflectionTestUtils.getField(builder, "maxBufferedPerCall")).isEqualTo(65536);
		assertThat(ReflectionTestUtils.getField(builder, "maxBufferedBytes")).isEqualTo(8L << 30);
		assertThat(ReflectionTestUtils.getField(builder, "maxInboundMessageSize")).isEqualTo(7);
	}

	@Test
	void theEngineChoosesHowMuchItHoldsUnlessItIsTold() {
		assertThat(ReflectionTestUtils.getField(builder(Map.of()), "maxBufferedBytes"))
			.isEqualTo(ReflectionTestUtils.getField(EventLoopServerBuilder.forPort(0), "maxBufferedBytes"));
	}

	private static Set<String> differing(Map<String, String> left, Map<String, String> right) {
		return left.keySet()
			.stream()
			.filter((key) -> !left.get(key).equals(right.get(key)))
			.collect(Collectors.toSet());
	}

	private static Map<String, String> numbers(ConnectionPolicy policy) {
		ConnectionLife life = policy.life();
		AbuseLimits abuse = policy.abuse();
		return Stream.of(policy.limits(), life, abuse)
			.flatMap((part) -> Stream.of(part.getClass().getRecordComponents())
				.map((component) -> Map.entry(component.getName(),
						String.valueOf(ReflectionTestUtils.<Object>invokeMethod(part, component.getName())))))
			.collect(Collectors.toMap(Map.Entry::getKey, Map.Entry::getValue));
	}

	private static ConnectionPolicy policy(Map<String, String> properties) {
		return policy(builder(properties));
	}

	private static ConnectionPolicy policy(EventLoopServerBuilder builder) {
		ConnectionPolicy policy = ReflectionTestUtils.invokeMethod(builder, "policy");
		return Objects.requireNonNull(policy);
	}

	private static EventLoopServerBuilder builder(Map<String, String> properties) {
		Binder binder = new Binder(List.of(new MapConfigurationPropertySource(properties)), null,
				ApplicationConversionService.getSharedInstance());
		GrpcServerProperties bound = binder.bindOrCreate("grpc.server", Bindable.of(GrpcServerProperties.class));
		EventLoopServerBuilder builder = EventLoopServerBuilder.forPort(0);
		PropertiesServerBuilderCustomizer.of(bound).customize(builder);
		ConnectionLifeCustomizer.of(bound).customize(builder);
		AbuseLimitsCustomizer.of(bound.getGuard()).customize(builder);
		return builder;
	}

}
