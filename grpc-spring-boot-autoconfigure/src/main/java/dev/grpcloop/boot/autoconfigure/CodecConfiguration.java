package dev.grpcloop.boot.autoconfigure;

import io.grpc.Compressor;
import io.grpc.CompressorRegistry;
import io.grpc.Decompressor;
import io.grpc.DecompressorRegistry;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/**
 * How messages may be compressed: as grpc-java does it by default, or by the codecs of
 * the application and no others, as with Spring Boot's own server.
 */
@Configuration(proxyBeanMethods = false)
class CodecConfiguration {

	@Bean
	@ConditionalOnMissingBean
	CompressorRegistry grpcLoopCompressorRegistry(ObjectProvider<Compressor> compressors) {
		if (compressors.stream().findAny().isEmpty()) {
			return CompressorRegistry.getDefaultInstance();
		}
		CompressorRegistry registry = CompressorRegistry.newEmptyInstance();
		compressors.orderedStream().forEach(registry::register);
		return registry;
	}

	@Bean
	@ConditionalOnMissingBean
	DecompressorRegistry grpcLoopDecompressorRegistry(ObjectProvider<Decompressor> decompressors) {
		if (decompressors.stream().findAny().isEmpty()) {
			return DecompressorRegistry.getDefaultInstance();
		}
		DecompressorRegistry registry = DecompressorRegistry.emptyInstance();
		for (Decompressor decompressor : decompressors.orderedStream().toList()) {
			registry = registry.with(decompressor, false);
		}
		return registry;
	}

}
