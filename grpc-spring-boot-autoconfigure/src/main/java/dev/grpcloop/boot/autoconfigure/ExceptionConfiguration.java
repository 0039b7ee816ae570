package dev.grpcloop.boot.autoconfigure;

import dev.grpcloop.boot.exception.CallExceptions;
import dev.grpcloop.boot.exception.ExceptionTranslator;
import dev.grpcloop.boot.exception.WebExceptions;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/**
 * The statuses of exceptions that nobody has claimed.
 */
@Configuration(proxyBeanMethods = false)
class ExceptionConfiguration {

	@Bean
	@ConditionalOnMissingBean
	CallExceptions grpcLoopCallExceptions(ObjectProvider<ExceptionTranslator> translators) {
		return new CallExceptions(translators.orderedStream().toList());
	}

	@Configuration(proxyBeanMethods = false)
	@ConditionalOnClass(name = "org.springframework.web.ErrorResponse")
	static class WebConfiguration {

		@Bean
		@ConditionalOnMissingBean
		WebExceptions grpcLoopWebExceptions() {
			return new WebExceptions();
		}

	}

}
