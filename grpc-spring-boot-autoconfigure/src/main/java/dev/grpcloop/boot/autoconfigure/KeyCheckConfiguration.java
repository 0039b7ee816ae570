package dev.grpcloop.boot.autoconfigure;

import dev.grpcloop.boot.keys.KeyCheck;
import org.jspecify.annotations.Nullable;

import org.springframework.aot.hint.RuntimeHints;
import org.springframework.aot.hint.RuntimeHintsRegistrar;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.ImportRuntimeHints;
import org.springframework.core.env.Environment;

/**
 * Warns of keys that nobody reads.
 */
@Configuration(proxyBeanMethods = false)
@ImportRuntimeHints(KeyCheckConfiguration.MetadataHints.class)
class KeyCheckConfiguration {

	@Bean
	@ConditionalOnMissingBean
	static KeyCheck grpcLoopKeyCheck(Environment environment) {
		return new KeyCheck(environment);
	}

	/** The list of the keys that are known. */
	static class MetadataHints implements RuntimeHintsRegistrar {

		@Override
		public void registerHints(RuntimeHints hints, @Nullable ClassLoader classLoader) {
			hints.resources().registerPattern(KeyCheck.METADATA);
		}

	}

}
