package dev.grpcloop.boot.library;

import java.util.List;
import java.util.Map;

import dev.grpcloop.boot.testsupport.ServerThreads;
import dev.grpcloop.boot.testsupport.TestApplications;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

import org.springframework.beans.factory.support.DefaultListableBeanFactory;
import org.springframework.boot.diagnostics.FailureAnalyzedException;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatException;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatNoException;

/**
 * Tests for {@link LibraryCheck} (case B54).
 */
@ExtendWith(OutputCaptureExtension.class)
class LibraryCheckTests {

	private static final RequiredConstructor FUTURE = new RequiredConstructor(
			"io.netty.handler.codec.http2.DefaultHttp2FrameReader", List.of("java.lang.String", "long"));

	@Test
	void whatTheBuildUsesPassesWithoutAWord(CapturedOutput output) {
		assertThatNoException()
			.isThrownBy(() -> new LibraryCheck().postProcessBeanFactory(new DefaultListableBeanFactory()));
		assertThat(output).isEmpty();
	}

	@Test
	void theVersionThatIsNamedIsTheOneOfTheBuild() {
		assertThat(LibraryVersions.ofNetty(getClass().getClassLoader())).containsEntry("netty-codec-http2",
				LibraryCheck.NETTY_VERSION);
	}

	@Test
	void theJarsOfGrpcAreFound() {
		assertThat(LibraryVersions.ofGrpc(getClass().getClassLoader())).containsKeys("grpc-api", "grpc-stub",
				"grpc-protobuf", "grpc-protobuf-lite", "grpc-core", "grpc-services", "grpc-inprocess");
	}

	@Test
	void nettyWithoutAClassIsTooOld() {
		DefaultListableBeanFactory beanFactory = new DefaultListableBeanFactory();
		beanFactory.setBeanClassLoader(new FilteredClassLoader("io.netty.channel.MultiThreadIoEventLoopGroup"));
		assertThatExceptionOfType(FailureAnalyzedException.class)
			.isThrownBy(() -> new LibraryCheck().postProcessBeanFactory(beanFactory))
			.withMessageContaining("io.netty.channel.MultiThreadIoEventLoopGroup(int, ");
	}

	@Test
	void anOldNettyStopsTheStartInOneLine(CapturedOutput output) {
		assertThatException().isThrownBy(() -> TestApplications.run(FutureApplication.class));
		assertThat(output).contains("APPLICATION FAILED TO START")
			.contains("Netty on the class path is too old for the gRPC server (4.2.18.Final of netty-buffer, ")
			.contains("it lacks io.netty.handler.codec.http2.DefaultHttp2FrameReader(java.lang.String, long)")
			.contains("set the property netty.version")
			.doesNotContain("gRPC server started");
		ServerThreads.awaitNone();
	}

	@Test
	void jarsOfDifferentVersionsAreNamedInOneWarning(CapturedOutput output) {
		LibraryCheck.warnOfMixture("grpc-java", "io.grpc", "grpc-java.version",
				Map.of("grpc-api", "1.84.1", "grpc-stub", "1.84.1", "grpc-core", "1.62.2"));
		assertThat(output.getOut().lines().filter((line) -> line.contains("LibraryCheck"))).singleElement()
			.asString()
			.contains("WARN", "1.62.2 of grpc-core; 1.84.1 of grpc-api, grpc-stub.", "grpc-java.version");
	}

	@Test
	void jarsOfOneVersionAreNotNamed(CapturedOutput output) {
		LibraryCheck.warnOfMixture("grpc-java", "io.grpc", "grpc-java.version",
				Map.of("grpc-api", "1.84.1", "grpc-stub", "1.84.1"));
		assertThat(output).isEmpty();
	}

	@Configuration(proxyBeanMethods = false)
	static class FutureApplication {

		@Bean
		static LibraryCheck check() {
			return new LibraryCheck(List.of(FUTURE));
		}

	}

}
