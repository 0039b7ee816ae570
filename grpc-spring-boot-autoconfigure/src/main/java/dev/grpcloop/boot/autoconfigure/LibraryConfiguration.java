package dev.grpcloop.boot.autoconfigure;

import dev.grpcloop.boot.library.LibraryCheck;

import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/**
 * A look at the libraries before anything else.
 */
@Configuration(proxyBeanMethods = false)
class LibraryConfiguration {

	@Bean
	@ConditionalOnMissingBean
	static LibraryCheck grpcLoopLibraryCheck() {
		return new LibraryCheck();
	}

}
