package dev.grpcloop.boot.controller;

import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationRegistry;

import org.springframework.beans.factory.BeanFactory;

/**
 * The observation of the call, where there is a registry of them.
 */
final class ObservationCallerContext implements CallerContext {

	private final ObservationRegistry registry;

	ObservationCallerContext(BeanFactory beanFactory) {
		this.registry = beanFactory.getBeanProvider(ObservationRegistry.class)
			.getIfUnique(() -> ObservationRegistry.NOOP);
	}

	@Override
	public Scope capture() {
		Observation observation = this.registry.getCurrentObservation();
		return (observation != null) ? (work) -> run(observation, work) : Runnable::run;
	}

	private static void run(Observation observation, Runnable work) {
		Observation.Scope scope = observation.openScope();
		try {
			work.run();
		}
		finally {
			scope.close();
		}
	}

}
