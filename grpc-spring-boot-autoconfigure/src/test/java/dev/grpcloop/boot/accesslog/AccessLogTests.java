package dev.grpcloop.boot.accesslog;

import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Collectors;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.AppenderBase;
import dev.grpcloop.boot.metrics.AccessLogMeters;
import dev.grpcloop.boot.testsupport.GreeterClient;
import dev.grpcloop.boot.testsupport.GreeterService;
import dev.grpcloop.boot.testsupport.TestApplications;
import io.grpc.ServerStreamTracer;
import io.grpc.StatusRuntimeException;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.MeterRegistry;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.slf4j.LoggerFactory;
import org.slf4j.event.KeyValuePair;

import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.boot.micrometer.metrics.autoconfigure.CompositeMeterRegistryAutoConfiguration;
import org.springframework.boot.micrometer.metrics.autoconfigure.MetricsAutoConfiguration;
import org.springframework.boot.micrometer.metrics.autoconfigure.export.simple.SimpleMetricsExportAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.annotation.Configuration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * The access log of a real server.
 */
@Timeout(60)
class AccessLogTests {

	private final List<ILoggingEvent> events = new CopyOnWriteArrayList<>();

	private final Logger logger = (Logger) LoggerFactory.getLogger(AccessLog.LOGGER);

	private final AppenderBase<ILoggingEvent> appender = new AppenderBase<>() {

		@Override
		protected void append(ILoggingEvent event) {
			AccessLogTests.this.events.add(event);
		}

	};

	private final ApplicationContextRunner runner = TestApplications.runner().withBean(GreeterService.class);

	@BeforeEach
	void listen() {
		this.appender.start();
		this.logger.addAppender(this.appender);
	}

	@AfterEach
	void listenNoMore() {
		this.logger.detachAppender(this.appender);
	}

	@Test
	void byDefaultNothingIsWrittenAndNobodyFollowsCalls() {
		this.runner.withUserConfiguration(Measured.class)
			.run((context) -> assertThat(context).doesNotHaveBean(AccessLog.class)
				.doesNotHaveBean(AccessLogMeters.class)
				.doesNotHaveBean(ServerStreamTracer.Factory.class));
	}

	@Test
	void whatIsMissingIsCounted() {
		this.runner.withUserConfiguration(Measured.class)
			.withPropertyValues("grpc.server.access-log.enabled=true", "grpc.server.access-log.queue-capacity=1")
			.run((context) -> {
				FunctionCounter missing = context.getBean(MeterRegistry.class)
					.get("grpc.engine.access-log.dropped")
					.functionCounter();
				assertThat(missing.count()).isZero();
				try (GreeterClient client = GreeterClient.of(context)) {
					synchronized (this.appender) {
						for (int i = 0; i < 10; i++) {
							client.hello("Ada");
						}
						// one is with the appender and one waits, at most
						Awaitility.await().until(() -> missing.count() >= 8);
					}
				}
				Awaitility.await().until(() -> this.events.size() + missing.count() == 10);
			});
	}

	@Test
	void everyCallIsALineWithItsNumbers() {
		this.runner.withPropertyValues("grpc.server.access-log.enabled=true").run((context) -> {
			try (GreeterClient client = GreeterClient.of(context)) {
				client.hello("Ada");
				client.chat("Ada", "Grace");
				assertThatExceptionOfType(StatusRuntimeException.class).isThrownBy(() -> client.hello("absent"));
				assertThatExceptionOfType(StatusRuntimeException.class)
					.isThrownBy(() -> client.callUnknown("no.Such/Method"));
				Awaitility.await().until(() -> this.events.size() == 4);
			}
			Map<String, Object> hello = fields(0);
			assertThat(hello).containsEntry("method", "test.v1.Greeter/Hello")
				.containsEntry("status", "OK")
				.containsEntry("messagesReceived", 1L)
				.containsEntry("messagesSent", 1L)
				.containsEntry("bytesReceived", (long) GreeterService.request("Ada").getSerializedSize())
				.containsEntry("bytesSent", (long) GreeterService.greeting("Ada").getSerializedSize());
			assertThat(hello.get("peer")).asString().startsWith("127.0.0.1:");
			assertThat(hello.get("authority")).asString().startsWith("localhost:");
			assertThat(hello.get("userAgent")).asString().startsWith("grpc-java-netty/");
			assertThat(this.events.get(0).getFormattedMessage())
				.startsWith("method=test.v1.Greeter/Hello status=OK start=2");
			assertThat(fields(1)).containsEntry("messagesReceived", 2L).containsEntry("messagesSent", 2L);
			assertThat(fields(2)).containsEntry("status", "NOT_FOUND").containsEntry("messagesSent", 0L);
			assertThat(fields(3)).containsEntry("method", "no.Such/Method").containsEntry("status", "UNIMPLEMENTED");
			assertThat(fields(3).get("peer")).asString().startsWith("127.0.0.1:");
		});
	}

	/** As when the context closes while calls run. */
	@Test
	void theCallsThatTheStopEndsAreWrittenToo() {
		this.runner
			.withPropertyValues("grpc.server.access-log.enabled=true", "grpc.server.access-log.format=json",
					"grpc.server.shutdown.grace-period=0")
			.run((context) -> {
				try (GreeterClient client = GreeterClient.of(context)) {
					client.channel()
						.newCall(dev.grpcloop.boot.test.v1.GreeterGrpc.getChatMethod(), io.grpc.CallOptions.DEFAULT)
						.start(new io.grpc.ClientCall.Listener<>() {
						}, new io.grpc.Metadata());
					client.hello("Ada");
					context.close();
					assertThat(this.events).extracting(ILoggingEvent::getFormattedMessage)
						.hasSize(2)
						.allMatch((line) -> line.startsWith("{\"method\":\"test.v1.Greeter/"))
						.anyMatch((line) -> line.contains("\"status\":\"CANCELLED\"")
								|| line.contains("\"status\":\"UNAVAILABLE\""));
				}
			});
	}

	private Map<String, Object> fields(int event) {
		return this.events.get(event)
			.getKeyValuePairs()
			.stream()
			.collect(Collectors.toMap((KeyValuePair pair) -> pair.key, (pair) -> pair.value));
	}

	@Configuration(proxyBeanMethods = false)
	@ImportAutoConfiguration({ MetricsAutoConfiguration.class, SimpleMetricsExportAutoConfiguration.class,
			CompositeMeterRegistryAutoConfiguration.class })
	static class Measured {

	}

}
