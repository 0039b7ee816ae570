package dev.grpcloop.boot.autoconfigure;

import io.grpc.BindableService;

import org.springframework.boot.autoconfigure.condition.AnyNestedCondition;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;

/**
 * Matches where a server is to be started. Alone that is always: an application may add
 * services later. Spring Boot's own server is not started without a service, and neither
 * is ours in its place: it would take the port of a server that another context starts.
 */
class OnServiceCondition extends AnyNestedCondition {

	OnServiceCondition() {
		super(ConfigurationPhase.REGISTER_BEAN);
	}

	@ConditionalOnMissingSpringBootServer
	static class Alone {

	}

	@ConditionalOnBean(BindableService.class)
	static class Service {

	}

}
