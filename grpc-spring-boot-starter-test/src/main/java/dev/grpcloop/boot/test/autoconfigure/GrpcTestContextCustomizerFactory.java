package dev.grpcloop.boot.test.autoconfigure;

import java.util.List;

import org.jspecify.annotations.Nullable;

import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.context.SpringBootTest.WebEnvironment;
import org.springframework.test.context.ContextConfigurationAttributes;
import org.springframework.test.context.ContextCustomizer;
import org.springframework.test.context.ContextCustomizerFactory;
import org.springframework.test.context.TestContextAnnotationUtils;

/**
 * Reads from the annotations of a test class what its gRPC server needs to be told.
 */
final class GrpcTestContextCustomizerFactory implements ContextCustomizerFactory {

	@Override
	public ContextCustomizer createContextCustomizer(Class<?> testClass,
			List<ContextConfigurationAttributes> configurations) {
		AutoConfigureTestGrpcTransport transport = TestContextAnnotationUtils.findMergedAnnotation(testClass,
				AutoConfigureTestGrpcTransport.class);
		return new GrpcTestContextCustomizer(!isOnDefinedPort(testClass),
				(transport != null) ? transport.enableServerFactory() : null,
				(transport != null) ? transport.enableChannelFactory() : null);
	}

	private static boolean isOnDefinedPort(Class<?> testClass) {
		@Nullable SpringBootTest test = TestContextAnnotationUtils.findMergedAnnotation(testClass, SpringBootTest.class);
		return test != null && test.webEnvironment() == WebEnvironment.DEFINED_PORT;
	}

}
