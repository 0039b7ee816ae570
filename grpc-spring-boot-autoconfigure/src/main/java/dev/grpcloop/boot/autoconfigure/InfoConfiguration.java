package dev.grpcloop.boot.autoconfigure;

import java.util.Objects;

import dev.grpcloop.boot.endpoint.GrpcInfoContributor;
import dev.grpcloop.boot.library.LibraryVersions;
import dev.grpcloop.boot.server.EventLoopGrpcServerLifecycle;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.actuate.autoconfigure.info.ConditionalOnEnabledInfoContributor;
import org.springframework.boot.actuate.autoconfigure.info.InfoContributorFallback;
import org.springframework.boot.actuate.info.InfoContributor;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.ApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/**
 * What the application's information says of the server, if it is asked to: as that of
 * Java, the operating system and the process, it is off by default.
 */
@Configuration(proxyBeanMethods = false)
@ConditionalOnClass({ InfoContributor.class, ConditionalOnEnabledInfoContributor.class })
@ConditionalOnEnabledInfoContributor(value = "grpc", fallback = InfoContributorFallback.DISABLE)
class InfoConfiguration {

	@Bean
	@ConditionalOnMissingBean
	GrpcInfoContributor grpcLoopInfoContributor(ObjectProvider<EventLoopGrpcServerLifecycle> lifecycle,
			ApplicationContext context) {
		return new GrpcInfoContributor(LibraryVersions.ofLibraries(Objects.requireNonNull(context.getClassLoader())),
				ServerSource.of(lifecycle));
	}

}
