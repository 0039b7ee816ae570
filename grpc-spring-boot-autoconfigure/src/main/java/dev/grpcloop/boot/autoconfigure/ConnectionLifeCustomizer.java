package dev.grpcloop.boot.autoconfigure;

import java.time.Duration;
import java.util.concurrent.TimeUnit;

import dev.grpcloop.boot.autoconfigure.KeepaliveProperties.Connection;
import dev.grpcloop.boot.autoconfigure.KeepaliveProperties.Permit;
import dev.grpcloop.engine.EventLoopServerBuilder;
import org.jspecify.annotations.Nullable;

import org.springframework.boot.context.properties.source.InvalidConfigurationPropertyValueException;
import org.springframework.grpc.server.ServerBuilderCustomizer;

/**
 * The properties that say how long a connection may live, checked. All times are in
 * nanoseconds.
 *
 * @param handshake more than 0
 * @param headers more than 0
 * @param stall more than 0
 * @param keepAlive more than 0
 * @param keepAliveTimeout more than 0
 * @param permit at least 0
 * @param permitWithoutCalls whether clients may ping without a call
 * @param maxIdle more than 0; the longest time there is stands for no limit
 * @param maxAge more than 0; the longest time there is stands for no limit
 * @param ageGrace at least 0
 */
record ConnectionLifeCustomizer(long handshake, long headers, long stall, long keepAlive, long keepAliveTimeout,
		long permit, boolean permitWithoutCalls, long maxIdle, long maxAge,
		long ageGrace) implements ServerBuilderCustomizer<EventLoopServerBuilder> {

	/**
	 * Checks the properties.
	 * @param properties as they were bound
	 * @return what they say
	 * @throws InvalidConfigurationPropertyValueException if one is out of its range
	 */
	static ConnectionLifeCustomizer of(GrpcServerProperties properties) {
		KeepaliveProperties keepalive = properties.getKeepalive();
		Permit permit = keepalive.getPermit();
		Connection connection = keepalive.getConnection();
		return new ConnectionLifeCustomizer(
				AllowedValues.positiveNanos("grpc.server.handshake-timeout", properties.getHandshakeTimeout()),
				AllowedValues.positiveNanos("grpc.server.inbound.headers-timeout",
						properties.getInbound().getHeadersTimeout()),
				AllowedValues.positiveNanos("grpc.server.flow-control.stall-timeout",
						properties.getFlowControl().getStallTimeout()),
				AllowedValues.positiveNanos(properties.name("keepalive.time"), keepalive.getTime()),
				AllowedValues.positiveNanos(properties.name("keepalive.timeout"), keepalive.getTimeout()),
				AllowedValues.nanos(properties.name("keepalive.permit.time"), permit.getTime()),
				permit.isWithoutCalls(),
				limit(properties.name("keepalive.connection.max-idle-time"), connection.getMaxIdleTime()),
				limit(properties.name("keepalive.connection.max-age"), connection.getMaxAge()),
				AllowedValues.nanos(properties.name("keepalive.connection.grace-period"), connection.getGracePeriod()));
	}

	private static long limit(String property, @Nullable Duration value) {
		return (value != null) ? AllowedValues.positiveNanos(property, value) : Long.MAX_VALUE;
	}

	@Override
	public void customize(EventLoopServerBuilder builder) {
		builder.handshakeTimeout(this.handshake, TimeUnit.NANOSECONDS)
			.headersTimeout(this.headers, TimeUnit.NANOSECONDS)
			.writeStallTimeout(this.stall, TimeUnit.NANOSECONDS)
			.keepAliveTime(this.keepAlive, TimeUnit.NANOSECONDS)
			.keepAliveTimeout(this.keepAliveTimeout, TimeUnit.NANOSECONDS)
			.permitKeepAliveTime(this.permit, TimeUnit.NANOSECONDS)
			.permitKeepAliveWithoutCalls(this.permitWithoutCalls)
			.maxConnectionIdle(this.maxIdle, TimeUnit.NANOSECONDS)
			.maxConnectionAge(this.maxAge, TimeUnit.NANOSECONDS)
			.maxConnectionAgeGrace(this.ageGrace, TimeUnit.NANOSECONDS);
	}

}
