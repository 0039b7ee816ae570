package dev.grpcloop.boot.autoconfigure;

import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.Arrays;

import dev.grpcloop.boot.test.v1.GreeterGrpc;
import dev.grpcloop.boot.testsupport.GreeterService;
import dev.grpcloop.boot.testsupport.TestApplications;
import dev.grpcloop.engine.transport.Transport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledForJreRange;
import org.junit.jupiter.api.condition.JRE;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import dev.grpcloop.boot.testsupport.ServerThreads;

import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.grpc.server.service.GrpcService;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatException;

/**
 * What a user reads when an application cannot start.
 */
@Timeout(60)
@ExtendWith(OutputCaptureExtension.class)
class StartFailureTests {

	@AfterEach
	void noThreadIsLeft() {
		ServerThreads.awaitNone();
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|',
			textBlock = """
					enabled                             | maybe     | true or false
					factory.enabled                     | maybe     | true or false
					port                                | -1        | a port from 0 to 65535
					port                                | 70000     | a port from 0 to 65535
					port                                | abc       | a port from 0 to 65535
					address                             | no.such.host.invalid | an IP address or a host name of this machine
					address                             | 127.0.0.1:9090       | an IP address or a host name of this machine
					backend                             | epol      | auto, nio, epoll, kqueue or io_uring
					workers                             | 0         | a whole number from 1 on; leave it out for one per processor
					workers                             | -1        | a whole number from 1 on
					workers                             | auto      | leave it out for one per processor
					executor.mode                       | fork-join | auto, event-loop, virtual or platform
					executor.max-threads                | 0         | a whole number from 1 on
					executor.max-threads                | many      | a whole number from 1 on
					executor.queue-capacity             | -1        | a whole number from 0 on
					max-concurrent-calls-per-connection | 0         | a whole number from 1 on
					inbound.message.max-size            | -1        | a size from 0B to 2147483647B
					inbound.message.max-size            | 3GB       | a size from 0B to 2147483647B
					inbound.message.max-size            | 4 apples  | a size from 0B to 2147483647B
					inbound.metadata.max-size           | 0         | a size from 1B to 2147483647B
					inbound.metadata.max-size           | 3GB       | a size from 1B to 2147483647B
					executor.blocked-threshold          | 1ns       | a duration from 1ms on such as 100ms
					flow-control.window                 | 65534B    | a size from 65535B to 2147483647B
					flow-control.window                 | 3GB       | a size from 65535B to 2147483647B
					flow-control.max-buffered-per-call  | 65535B    | a size from 65536B to 2147483647B
					flow-control.max-buffered           | 1023KB    | a size from 1MB on such as 256MB
					flow-control.max-buffered           | much      | a size from 1MB on such as 256MB
					flow-control.stall-timeout          | 0         | a duration of more than 0 such as 30s
					handshake-timeout                   | 0         | a duration of more than 0 such as 30s
					handshake-timeout                   | quick     | a duration of more than 0 such as 30s
					inbound.headers-timeout             | -1        | a duration of more than 0 such as 30s
					keepalive.time                      | 0         | a duration of more than 0 such as 30s
					keepalive.timeout                   | -20s      | a duration of more than 0 such as 30s
					keepalive.permit.time               | -1        | a duration from 0 on such as 30s
					keepalive.permit.without-calls      | often     | true or false
					keepalive.connection.max-idle-time  | 0         | leave it out for no limit
					keepalive.connection.max-age        | 0         | leave it out for no limit
					keepalive.connection.max-age        | -1        | leave it out for no limit
					keepalive.connection.grace-period   | -1        | a duration from 0 on such as 30s
					guard.period                        | 0         | a duration of more than 0 such as 30s
					guard.resets                        | -1        | a whole number from 0 on
					guard.protocol-faults               | -1        | a whole number from 0 on
					guard.settings                      | -1        | a whole number from 0 on
					guard.control-frames                | -1        | a whole number from 0 on
					guard.empty-frames                  | -1        | a whole number from 0 on
					guard.tiny-frames                   | few       | a whole number from 0 on
					guard.small-continuations           | 0         | a whole number from 1 on
					health.enabled                      | maybe     | true or false
					health.include-overall-health       | maybe     | true or false
					health.services.validate-membership | maybe     | true or false
					health.status.mapping.down          | SERVER    | serving, not-serving or unknown
					health.status.mapping.down          | UNRECOGNIZED | serving, not-serving or unknown
					health.service.db.status.mapping.up | service-unknown | serving, not-serving or unknown
					health.service[a.v1.B].status.mapping.up | yes   | serving, not-serving or unknown
					health.schedule.enabled             | maybe     | true or false
					health.schedule.period              | 0         | a duration of more than 0 such as 30s
					health.schedule.delay               | -1        | a duration from 0 on such as 30s
					reflection.enabled                  | maybe     | true or false
					shutdown.drain-delay                | -1        | a duration from 0 on such as 30s
					shutdown.grace-period               | soon      | a duration such as 30s or 2m
					metrics.enabled                     | maybe     | true or false
					observation.enabled                 | maybe     | true or false
					observation.recorder                | nobody    | auto, interceptor or engine
					validation.enabled                  | maybe     | true or false
					""")
	void aBadValueIsNamedWithWhatIsAllowed(String key, String value, String allowed, CapturedOutput output) {
		assertThatException()
			.isThrownBy(() -> TestApplications.run(Application.class, "grpc.server." + key + "=" + value));
		assertThat(output).contains("APPLICATION FAILED TO START")
			.contains("grpc.server." + key)
			.contains("'" + value + "'")
			.contains(allowed);
	}

	@ParameterizedTest
	@CsvSource({ "executor,''", "executor,virtual", "inbound.message,4MB" })
	void aGroupCannotHaveAValue(String group, String value, CapturedOutput output) {
		assertThatException()
			.isThrownBy(() -> TestApplications.run(Application.class, "grpc.server." + group + "=" + value));
		assertThat(output).contains("APPLICATION FAILED TO START")
			.containsPattern("grpc\\.server\\." + group + ".* is no property but the first part of some")
			.containsPattern("There are: grpc\\.server\\." + group + "\\.");
	}

	@Test
	void aTakenPortIsNamedWithWhatToDo(CapturedOutput output) throws Exception {
		try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getByName("127.0.0.1"))) {
			for (Transport transport : Transport.values()) {
				if (transport.unavailabilityCause() == null) {
					assertThatException().isThrownBy(() -> TestApplications.run(Application.class,
							"grpc.server.port=" + socket.getLocalPort(), "grpc.server.backend=" + transport));
				}
			}
			assertThat(output).contains("APPLICATION FAILED TO START")
				.contains("The gRPC server could not listen on 127.0.0.1:%d: port %1$d is already in use."
					.formatted(socket.getLocalPort()))
				.contains("Stop the process that listens on port %d, or set grpc.server.port to another port"
					.formatted(socket.getLocalPort()))
				.doesNotContain("Check grpc.server.address and grpc.server.port");
		}
	}

	@Test
	void anAddressOfAnotherMachineIsNamed(CapturedOutput output) {
		// TEST-NET-1, RFC 5737
		assertThatException()
			.isThrownBy(() -> TestApplications.run(Application.class, "grpc.server.address=192.0.2.1"));
		assertThat(output).contains("APPLICATION FAILED TO START")
			.contains("The gRPC server could not listen on 192.0.2.1:0: that is not an address of this machine.")
			.contains("Set grpc.server.address to an address of this machine");
	}

	@Test
	void aBackendThatIsNotThereIsNamedWithThoseThatAre(CapturedOutput output) {
		Transport missing = Arrays.stream(Transport.values())
			.filter((transport) -> transport.unavailabilityCause() != null)
			.findFirst()
			.orElseThrow();
		assertThatException()
			.isThrownBy(() -> TestApplications.run(Application.class, "grpc.server.backend=" + missing.displayName()));
		assertThat(output).contains("APPLICATION FAILED TO START")
			.contains("grpc.server.backend is " + missing.displayName() + ", which is not available on this machine: ")
			.contains("Set grpc.server.backend to auto, or to one that is available here: nio");
	}

	@Test
	@EnabledForJreRange(max = JRE.JAVA_20)
	void virtualThreadsThatAreNotThereAreNamed(CapturedOutput output) {
		assertThatException()
			.isThrownBy(() -> TestApplications.run(Application.class, "grpc.server.executor.mode=virtual"));
		assertThat(output).contains("APPLICATION FAILED TO START")
			.contains("grpc.server.executor.mode is virtual, but this is Java 17");
	}

	@Test
	void twoBeansForOneServiceAreBothNamed(CapturedOutput output) {
		assertThatException().isThrownBy(() -> TestApplications.run(TwoGreeters.class));
		assertThat(output).contains("APPLICATION FAILED TO START")
			.contains("Two beans serve the gRPC service test.v1.Greeter: 'firstGreeter' ("
					+ GreeterService.class.getName() + ") and 'secondGreeter' (")
			.contains("Remove one of the two beans");
	}

	@Test
	void aServiceThatIsNoneIsNamed(CapturedOutput output) {
		assertThatException().isThrownBy(() -> TestApplications.run(NoService.class));
		assertThat(output).contains("APPLICATION FAILED TO START")
			.contains("(" + NoService.class.getName()
					+ ") is marked @GrpcService, but it is no io.grpc.BindableService: it would not be served.");
	}

	@GrpcService
	static class NoService {

	}

	@Configuration(proxyBeanMethods = false)
	@Import(GreeterService.class)
	static class Application {

	}

	@Configuration(proxyBeanMethods = false)
	static class TwoGreeters {

		@Bean
		GreeterService firstGreeter() {
			return new GreeterService();
		}

		@Bean
		GreeterGrpc.GreeterImplBase secondGreeter() {
			return new GreeterGrpc.GreeterImplBase() {
			};
		}

	}

}
