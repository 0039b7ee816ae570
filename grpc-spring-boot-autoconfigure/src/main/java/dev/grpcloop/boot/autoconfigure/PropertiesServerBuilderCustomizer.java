package dev.grpcloop.boot.autoconfigure;

import java.time.Duration;

import dev.grpcloop.engine.Backend;
import dev.grpcloop.engine.EventLoopServerBuilder;
import org.jspecify.annotations.Nullable;

import org.springframework.boot.context.properties.PropertyMapper;
import org.springframework.boot.context.properties.source.InvalidConfigurationPropertyValueException;
import org.springframework.grpc.server.ServerBuilderCustomizer;
import org.springframework.util.unit.DataSize;

/**
 * The properties that become calls of the server's builder, checked.
 *
 * @param backend the backend
 * @param workers the number of event loops, or {@code null} for the engine's default
 * @param maxConcurrentCallsPerConnection at least 1
 * @param blockedThreshold zero, or at least 1 ms
 * @param flowControlWindow in bytes, at least 65535
 * @param maxBufferedPerCall in bytes, at least 65536
 * @param maxBuffered in bytes, at least 1 MiB, or {@code null} for the engine's default
 * @param maxMessageSize in bytes, at least 0
 * @param maxMetadataSize in bytes, at least 1
 */
record PropertiesServerBuilderCustomizer(Backend backend, @Nullable Integer workers,
		int maxConcurrentCallsPerConnection, Duration blockedThreshold, int flowControlWindow, int maxBufferedPerCall,
		@Nullable Long maxBuffered, int maxMessageSize,
		int maxMetadataSize) implements ServerBuilderCustomizer<EventLoopServerBuilder> {

	/**
	 * Checks the properties.
	 * @param properties as they were bound
	 * @return what they say
	 * @throws InvalidConfigurationPropertyValueException if one is out of its range
	 */
	static PropertiesServerBuilderCustomizer of(GrpcServerProperties properties) {
		Integer workers = properties.getWorkers();
		if (workers != null) {
			AllowedValues.atLeast("grpc.server.workers", workers, 1);
		}
		DataSize maxBuffered = properties.getFlowControl().getMaxBuffered();
		InboundProperties inbound = properties.getInbound();
		return new PropertiesServerBuilderCustomizer(properties.getBackend(), workers,
				AllowedValues.atLeast("grpc.server.max-concurrent-calls-per-connection",
						properties.getMaxConcurrentCallsPerConnection(), 1),
				AllowedValues.zeroOrMillis("grpc.server.executor.blocked-threshold",
						properties.getExecutor().getBlockedThreshold()),
				AllowedValues.bytes("grpc.server.flow-control.window", properties.getFlowControl().getWindow(), 65535),
				AllowedValues.bytes("grpc.server.flow-control.max-buffered-per-call",
						properties.getFlowControl().getMaxBufferedPerCall(), 65536),
				(maxBuffered != null)
						? AllowedValues.manyBytes("grpc.server.flow-control.max-buffered", maxBuffered, 1024 * 1024)
						: null,
				AllowedValues.bytes(properties.name("inbound.message.max-size"), inbound.getMessage().getMaxSize(), 0),
				AllowedValues.bytes(properties.name("inbound.metadata.max-size"), inbound.getMetadata().getMaxSize(),
						1));
	}

	@Override
	public void customize(EventLoopServerBuilder builder) {
		PropertyMapper map = PropertyMapper.get();
		map.from(this.backend).to(builder::backend);
		map.from(this.workers).to(builder::workers);
		map.from(this.maxConcurrentCallsPerConnection).to(builder::maxConcurrentCallsPerConnection);
		map.from(this.blockedThreshold).to(builder::blockedThreshold);
		map.from(this.flowControlWindow).to(builder::flowControlWindow);
		map.from(this.maxBufferedPerCall).to(builder::maxBufferedPerCall);
		map.from(this.maxBuffered).to(builder::maxBufferedBytes);
		map.from(this.maxMessageSize).to(builder::maxInboundMessageSize);
		map.from(this.maxMetadataSize).to(builder::maxInboundMetadataSize);
	}

}
