package dev.grpcloop.boot.autoconfigure;

import java.time.Duration;
import java.util.List;
import java.util.Map;

import dev.grpcloop.boot.testsupport.BesideSpringBoot;
import dev.grpcloop.boot.executor.ExecutorMode;
import dev.grpcloop.engine.Backend;
import dev.grpcloop.engine.http2.AbuseLimits;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import org.springframework.boot.context.properties.bind.Bindable;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.context.properties.source.ConfigurationPropertySource;
import org.springframework.boot.context.properties.source.MapConfigurationPropertySource;
import org.springframework.boot.convert.ApplicationConversionService;
import org.springframework.util.unit.DataSize;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link GrpcServerProperties}.
 */
class GrpcServerPropertiesTests {

	@Test
	void defaults() {
		GrpcServerProperties properties = new GrpcServerProperties();
		assertThat(properties.isEnabled()).isTrue();
		assertThat(properties.getAddress()).isNull();
		assertThat(properties.getPort()).isEqualTo(9090);
		assertThat(properties.getBackend()).isEqualTo(Backend.AUTO);
		assertThat(properties.getWorkers()).isNull();
		assertThat(properties.getMaxConcurrentCallsPerConnection()).isEqualTo(1000);
		assertThat(properties.getExecutor().getMode()).isEqualTo(ExecutorMode.AUTO);
		assertThat(properties.getExecutor().getMaxThreads()).isEqualTo(200);
		assertThat(properties.getExecutor().getQueueCapacity()).isEqualTo(10_000);
		assertThat(properties.getInbound().getMessage().getMaxSize()).isEqualTo(DataSize.ofBytes(4194304));
		assertThat(properties.getInbound().getMetadata().getMaxSize()).isEqualTo(DataSize.ofBytes(8192));
		assertThat(properties.getInbound().getHeadersTimeout()).isEqualTo(Duration.ofSeconds(30));
		assertThat(properties.getFlowControl().getWindow()).isEqualTo(DataSize.ofBytes(1048576));
		assertThat(properties.getFlowControl().getMaxBufferedPerCall()).isEqualTo(DataSize.ofBytes(67108864));
		assertThat(properties.getFlowControl().getMaxBuffered()).isNull();
		assertThat(properties.getFlowControl().getStallTimeout()).isEqualTo(Duration.ofSeconds(60));
		assertThat(properties.getHandshakeTimeout()).isEqualTo(Duration.ofSeconds(20));
		assertThat(properties.getShutdown().getGracePeriod()).isEqualTo(Duration.ofSeconds(30));
		assertThat(properties.getShutdown().getDrainDelay()).isZero();
		assertThat(properties.getReflection().isEnabled()).isTrue();
		assertThat(properties.getMetrics().isEnabled()).isTrue();
	}

	@Test
	@BesideSpringBoot
	void healthDefaultsAreThoseOfSpringBoot() {
		assertThat(new HealthProperties()).usingRecursiveComparison()
			.isEqualTo(new org.springframework.boot.grpc.server.autoconfigure.health.GrpcServerHealthProperties());
	}

	@Test
	@BesideSpringBoot
	void keepaliveDefaultsAreThoseOfSpringBoot() {
		KeepaliveProperties ours = new GrpcServerProperties().getKeepalive();
		assertThat(ours).usingRecursiveComparison()
			.isEqualTo(new org.springframework.boot.grpc.server.autoconfigure.GrpcServerProperties().getKeepalive());
	}

	@Test
	void guardDefaultsAreThoseOfTheEngine() {
		assertThat(AbuseLimitsCustomizer.of(new GrpcServerProperties().getGuard()).limits())
			.isEqualTo(AbuseLimits.DEFAULT);
	}

	@ParameterizedTest
	@CsvSource({ "auto,AUTO", "nio,NIO", "NIO,NIO", "epoll,EPOLL", "Epoll,EPOLL", "kqueue,KQUEUE", "io_uring,IO_URING",
			"io-uring,IO_URING", "IO_URING,IO_URING", "iouring,IO_URING" })
	void backendsAreSpelledAsPeopleLike(String value, Backend backend) {
		assertThat(bind("backend", value).getBackend()).isEqualTo(backend);
	}

	@ParameterizedTest
	@CsvSource({ "auto,AUTO", "event-loop,EVENT_LOOP", "event_loop,EVENT_LOOP", "eventLoop,EVENT_LOOP",
			"virtual,VIRTUAL", "PLATFORM,PLATFORM" })
	void executorModesAreSpelledAsPeopleLike(String value, ExecutorMode mode) {
		assertThat(bind("executor.mode", value).getExecutor().getMode()).isEqualTo(mode);
	}

	@ParameterizedTest
	@CsvSource({ "5,PT5S", "5s,PT5S", "PT5S,PT5S", "2m,PT2M", "0,PT0S", "-1,PT-1S", "250ms,PT0.25S", "'',PT30S" })
	void aGracePeriodWithoutAUnitIsSeconds(String value, Duration duration) {
		assertThat(bind("shutdown.grace-period", value).getShutdown().getGracePeriod()).isEqualTo(duration);
	}

	@ParameterizedTest
	@CsvSource({ "4MB,4194304", "4194304,4194304", "16KB,16384", "0,0" })
	void aSizeWithoutAUnitIsBytes(String value, long bytes) {
		assertThat(bind("inbound.message.max-size", value).getInbound().getMessage().getMaxSize())
			.isEqualTo(DataSize.ofBytes(bytes));
		assertThat(bind("inbound.metadata.max-size", value).getInbound().getMetadata().getMaxSize())
			.isEqualTo(DataSize.ofBytes(bytes));
	}

	private static GrpcServerProperties bind(String key, String value) {
		ConfigurationPropertySource source = new MapConfigurationPropertySource(Map.of("grpc.server." + key, value));
		Binder binder = new Binder(List.of(source), null, ApplicationConversionService.getSharedInstance());
		return binder.bindOrCreate("grpc.server", Bindable.of(GrpcServerProperties.class));
	}

}
