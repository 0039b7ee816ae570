package dev.grpcloop.boot.server;

import dev.grpcloop.boot.testsupport.GreeterService;
import dev.grpcloop.boot.testsupport.ServerThreads;
import dev.grpcloop.boot.testsupport.TestApplications;

import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.boot.context.event.ApplicationReadyEvent;
import org.springframework.boot.devtools.autoconfigure.LocalDevToolsAutoConfiguration;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.context.event.EventListener;
import org.springframework.core.env.Environment;

/**
 * An application that devtools restart, in a process of its own. It prints after each
 * start the port, the names of the server's threads and the number of all threads.
 */
public final class DevtoolsApplication {

	private DevtoolsApplication() {
	}

	public static void main(String[] args) {
		TestApplications.run(Application.class);
	}

	@Configuration(proxyBeanMethods = false)
	@Import(GreeterService.class)
	@ImportAutoConfiguration(LocalDevToolsAutoConfiguration.class)
	static class Application {

		@EventListener
		void ready(ApplicationReadyEvent event) {
			Environment environment = event.getApplicationContext().getEnvironment();
			System.out.println("LOADER " + getClass().getClassLoader().getClass().getSimpleName());
			System.out.println("THREADS " + ServerThreads.names());
			System.out.println("COUNT " + Thread.getAllStackTraces().size());
			System.out.println("READY " + environment.getProperty("local.grpc.server.port"));
		}

	}

}
