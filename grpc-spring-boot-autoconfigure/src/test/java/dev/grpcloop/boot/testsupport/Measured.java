package dev.grpcloop.boot.testsupport;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.binder.MeterBinder;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/**
 * A registry that gets its meters as Spring Boot's does.
 */
@Configuration(proxyBeanMethods = false)
public class Measured {

	@Bean
	MeterRegistry meterRegistry() {
		return new SimpleMeterRegistry();
	}

	@Bean
	SmartInitializingSingleton boundMeters(MeterRegistry registry, ObjectProvider<MeterBinder> binders) {
		return () -> binders.forEach((binder) -> binder.bindTo(registry));
	}

}
