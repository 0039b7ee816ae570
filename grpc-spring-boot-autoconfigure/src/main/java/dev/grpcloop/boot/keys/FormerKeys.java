package dev.grpcloop.boot.keys;

import java.util.List;

/**
 * What other starters call the properties of a gRPC server. {@code docs/migration.md} has
 * the same tables; a test compares them.
 */
final class FormerKeys {

	/** {@code net.devh:grpc-server-spring-boot-starter}, version 3.1. */
	static final List<FormerKey> NET_DEVH = FormerKey
		.table("""
				grpc.server.in-process-name | grpc.server.inprocess.name |
				grpc.server.shutdown-grace-period | grpc.server.shutdown.grace-period |
				grpc.server.enable-keep-alive | - | the server always watches silent clients; keepalive.time says after how long
				grpc.server.keep-alive-time | grpc.server.keepalive.time | has its effect without enable-keep-alive
				grpc.server.keep-alive-timeout | grpc.server.keepalive.timeout | has its effect without enable-keep-alive
				grpc.server.permit-keep-alive-time | grpc.server.keepalive.permit.time |
				grpc.server.permit-keep-alive-without-calls | grpc.server.keepalive.permit.without-calls |
				grpc.server.max-connection-idle | grpc.server.keepalive.connection.max-idle-time |
				grpc.server.max-connection-age | grpc.server.keepalive.connection.max-age |
				grpc.server.max-connection-age-grace | grpc.server.keepalive.connection.grace-period | 30s unless it is set; was without limit
				grpc.server.max-inbound-message-size | grpc.server.inbound.message.max-size | -1 is not allowed; the most is 2147483647B
				grpc.server.max-inbound-metadata-size | grpc.server.inbound.metadata.max-size | -1 is not allowed; the most is 2147483647B
				grpc.server.health-service-enabled | grpc.server.health.enabled |
				grpc.server.health-service.type | grpc.server.health.enabled | NONE is false; GRPC and ACTUATOR are true, which follows the health of actuator where that is there
				grpc.server.reflection-service-enabled | grpc.server.reflection.enabled |
				grpc.metrics-a66-enabled | grpc.server.metrics.additional-names | a66 instead of true
				""");

	/** Keys of net.devh's starter that have no effect unless TLS is switched on. */
	static final List<FormerKey> NET_DEVH_TLS = FormerKey.table("""
			grpc.server.security.enabled | - | true stops the start
			grpc.server.security.certificate-chain | - | stops the start
			grpc.server.security.private-key | - | stops the start
			grpc.server.security.private-key-password | - | stops the start
			grpc.server.security.key-store | - | stops the start
			grpc.server.security.key-store-format | - | stops the start
			grpc.server.security.key-store-password | - | stops the start
			grpc.server.security.client-auth | - | stops the start
			grpc.server.security.trust-cert-collection | - | stops the start
			grpc.server.security.trust-store | - | stops the start
			grpc.server.security.trust-store-format | - | stops the start
			grpc.server.security.trust-store-password | - | stops the start
			grpc.server.security.ciphers | - | stops the start
			grpc.server.security.protocols | - | stops the start
			""");

	/** {@code io.github.lognet:grpc-spring-boot-starter}, version 5.2. */
	static final List<FormerKey> LOGNET = FormerKey
		.table("""
				grpc.port | grpc.server.port | 9090 unless it is set; was 6565
				grpc.enabled | grpc.server.enabled | false leaves no server at all; was without effect on the in-process server
				grpc.in-process-server-name | grpc.server.inprocess.name |
				grpc.enable-reflection | grpc.server.reflection.enabled | true unless it is set; was false
				grpc.shutdown-grace | grpc.server.shutdown.grace-period | 30s unless it is set; was 0
				grpc.start-up-phase | - | the phase is fixed: services stop after the server, in the phase of the web server's graceful shutdown
				grpc.recovery.interceptor-order | - | exceptions are handled outside all interceptors
				grpc.validation.interceptor-order | - | messages are validated next to the service
				grpc.metrics.interceptor-order | - | calls are counted in the engine, not in an interceptor
				grpc.security.auth.enabled | - | take Spring Security's support in Spring gRPC
				grpc.security.auth.interceptor-order | - | take Spring Security's support in Spring gRPC
				grpc.security.auth.fail-fast | - | a call that is refused goes no further
				grpc.netty-server.on-collision-prefer-shaded-netty | - | neither grpc-netty nor grpc-netty-shaded is used
				grpc.netty-server.flow-control-window | grpc.server.flow-control.window | does not grow by itself
				grpc.netty-server.initial-flow-control-window | grpc.server.flow-control.window | does not grow by itself
				grpc.netty-server.max-concurrent-calls-per-connection | grpc.server.max-concurrent-calls-per-connection | 1000 unless it is set; was without limit
				grpc.netty-server.keep-alive-time | grpc.server.keepalive.time | a number without a unit is seconds; was milliseconds
				grpc.netty-server.keep-alive-timeout | grpc.server.keepalive.timeout | a number without a unit is seconds; was milliseconds
				grpc.netty-server.permit-keep-alive-time | grpc.server.keepalive.permit.time | a number without a unit is seconds; was milliseconds
				grpc.netty-server.permit-keep-alive-without-calls | grpc.server.keepalive.permit.without-calls |
				grpc.netty-server.max-connection-age | grpc.server.keepalive.connection.max-age | a number without a unit is seconds; was milliseconds
				grpc.netty-server.max-connection-age-grace | grpc.server.keepalive.connection.grace-period | 30s unless it is set; was without limit; a number without a unit is seconds; was milliseconds
				grpc.netty-server.max-connection-idle | grpc.server.keepalive.connection.max-idle-time | a number without a unit is seconds; was milliseconds
				grpc.netty-server.max-inbound-message-size | grpc.server.inbound.message.max-size |
				grpc.netty-server.max-inbound-metadata-size | grpc.server.inbound.metadata.max-size |
				grpc.netty-server.primary-listen-address | grpc.server.address + grpc.server.port | host and port are two properties; without it, grpc.server.port counts
				grpc.netty-server.additional-listen-addresses.* | - | the server listens on one address
				grpc.consul.* | - | services are not registered in Consul; spring.cloud.consul.discovery.metadata can hold the port
				""");

	/** Keys of LogNet's starter that switch TLS on. */
	static final List<FormerKey> LOGNET_TLS = FormerKey.table("""
			grpc.security.cert-chain | - | stops the start
			grpc.security.private-key | - | stops the start
			""");

	/**
	 * {@code org.springframework.grpc:spring-grpc-server-spring-boot-starter}, to 1.0.
	 */
	static final List<FormerKey> SPRING_GRPC = FormerKey
		.table("""
				spring.grpc.server.host | grpc.server.address |
				spring.grpc.server.shutdown-grace-period | grpc.server.shutdown.grace-period |
				spring.grpc.server.max-inbound-message-size | grpc.server.inbound.message.max-size |
				spring.grpc.server.max-inbound-metadata-size | grpc.server.inbound.metadata.max-size |
				spring.grpc.server.keep-alive.time | grpc.server.keepalive.time |
				spring.grpc.server.keep-alive.timeout | grpc.server.keepalive.timeout |
				spring.grpc.server.keep-alive.permit-time | grpc.server.keepalive.permit.time |
				spring.grpc.server.keep-alive.permit-without-calls | grpc.server.keepalive.permit.without-calls |
				spring.grpc.server.keep-alive.max-idle | grpc.server.keepalive.connection.max-idle-time |
				spring.grpc.server.keep-alive.max-age | grpc.server.keepalive.connection.max-age |
				spring.grpc.server.keep-alive.max-age-grace | grpc.server.keepalive.connection.grace-period | 30s unless it is set; was without limit
				spring.grpc.server.inprocess.exclusive | - | the in-process server runs beside the one on the network; grpc.server.factory.enabled=false leaves that out
				spring.grpc.server.exception-handling.enabled | - | leave out the handlers instead
				spring.grpc.server.observations.enabled | grpc.server.observation.enabled |
				spring.grpc.server.health.actuator.enabled | grpc.server.health.schedule.enabled |
				spring.grpc.server.health.actuator.health-indicator-paths.* | grpc.server.health.service | a group of names for each gRPC service: grpc.server.health.service.<name>.include
				spring.grpc.server.health.actuator.update-overall-health | grpc.server.health.include-overall-health |
				spring.grpc.server.health.actuator.update-rate | grpc.server.health.schedule.period |
				spring.grpc.server.health.actuator.update-initial-delay | grpc.server.health.schedule.delay |
				spring.grpc.test.inprocess.enabled | - | annotate the test with @AutoConfigureTestGrpcTransport
				""");

	/**
	 * Keys of {@code org.springframework.boot:spring-boot-grpc-server} that are more than
	 * {@code spring.} before one of ours.
	 */
	static final List<FormerKey> SPRING_BOOT = FormerKey.table("""
			spring.grpc.server.security.csrf.enabled | - | it protects the servlet, which there is not
			spring.grpc.server.netty.transport | - | anything but tcp stops the start
			spring.grpc.server.netty.domain-socket-path | - | stops the start
			spring.grpc.server.ssl.enabled | - | true stops the start
			spring.grpc.server.ssl.bundle | - | stops the start
			spring.grpc.server.ssl.client-auth | - | stops the start
			spring.grpc.server.ssl.secure | - | stops the start
			spring.grpc.server.servlet.enabled | - | gRPC is not served by the servlet container
			spring.grpc.server.servlet.validate-http2 | - | gRPC is not served by the servlet container
			""");

	private FormerKeys() {
	}

}
