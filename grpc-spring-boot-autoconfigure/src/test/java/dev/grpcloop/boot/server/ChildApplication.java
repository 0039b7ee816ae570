package dev.grpcloop.boot.server;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.CountDownLatch;

import dev.grpcloop.boot.test.v1.HelloRequest;
import dev.grpcloop.boot.test.v1.HelloResponse;
import dev.grpcloop.boot.testsupport.GreeterService;
import dev.grpcloop.boot.testsupport.TestApplications;
import io.grpc.stub.StreamObserver;

import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.SmartLifecycle;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.event.EventListener;
import org.springframework.grpc.server.lifecycle.GrpcServerShutdownEvent;
import org.springframework.grpc.server.lifecycle.GrpcServerStartedEvent;
import org.springframework.grpc.server.lifecycle.GrpcServerTerminatedEvent;

/**
 * An application without a web server in a process of its own. It prints what happens to
 * it, a word at the beginning of each line, and does what it reads: {@code close} closes
 * the context, {@code go} lets what waits go on.
 */
public final class ChildApplication {

	static final String SLOW = "slow";

	/** Set to {@code true}, it makes a bean wait in its start, after the server's. */
	static final String SLOW_START = "slow-start";

	private static final CountDownLatch GO = new CountDownLatch(1);

	private ChildApplication() {
	}

	public static void main(String[] args) {
		Thread input = new Thread(ChildApplication::obey, "input");
		input.setDaemon(true);
		input.start();
		context = TestApplications.run(Application.class, args);
		System.out.println("RETURNED");
	}

	private static volatile ConfigurableApplicationContext context;

	private static void obey() {
		try (BufferedReader lines = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8))) {
			for (String line = lines.readLine(); line != null; line = lines.readLine()) {
				switch (line) {
					case "go" -> GO.countDown();
					case "close" -> {
						System.out.println("CLOSES");
						context.close();
					}
					default -> throw new IllegalArgumentException(line);
				}
			}
		}
		catch (IOException ex) {
			System.out.println("FAILED " + ex);
		}
	}

	/**
	 * Keeps the thread busy where others may be expected to notice that it waits: a
	 * context whose start waits is taken for stuck.
	 */
	private static void awaitGo() {
		while (GO.getCount() > 0) {
			Thread.onSpinWait();
		}
	}

	@Configuration(proxyBeanMethods = false)
	static class Application {

		@Bean
		GreeterService greeter() {
			return new SlowGreeter();
		}

		@Bean
		SlowStart slowStart(org.springframework.core.env.Environment environment) {
			return new SlowStart(environment.getProperty(SLOW_START, Boolean.class, false));
		}

		@EventListener
		void started(GrpcServerStartedEvent event) {
			System.out.println("STARTED " + event.getPort());
		}

		@EventListener
		void stops(GrpcServerShutdownEvent event) {
			System.out.println("STOPS");
		}

		@EventListener
		void stopped(GrpcServerTerminatedEvent event) {
			System.out.println("STOPPED");
		}

	}

	static class SlowGreeter extends GreeterService {

		@Override
		public void hello(HelloRequest request, StreamObserver<HelloResponse> responses) {
			if (request.getName().equals(SLOW)) {
				System.out.println("CALLED");
				awaitGo();
			}
			super.hello(request, responses);
		}

	}

	static class SlowStart implements SmartLifecycle {

		private final boolean slow;

		private volatile boolean running;

		SlowStart(boolean slow) {
			this.slow = slow;
		}

		@Override
		public void start() {
			if (this.slow) {
				System.out.println("STARTING");
				awaitGo();
			}
			this.running = true;
		}

		@Override
		public void stop() {
			this.running = false;
		}

		@Override
		public boolean isRunning() {
			return this.running;
		}

	}

}
