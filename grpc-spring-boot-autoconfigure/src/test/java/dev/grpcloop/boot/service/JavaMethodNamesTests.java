package dev.grpcloop.boot.service;

import dev.grpcloop.boot.test.v1.GreeterGrpc;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link JavaMethodNames}.
 */
class JavaMethodNamesTests {

	@ParameterizedTest
	@CsvSource({ "Hello, hello", "sayHello, sayHello", "Say_hello, sayHello", "say__hello_, sayHello", "GetURL, getURL",
			"HTTPGet, hTTPGet", "V1_get2_x, v1Get2X", "Import, import_", "new, new_", "True, true_", "Null, null",
			"Class, class_", "X, x" })
	void areThoseOfTheGenerator(String rpc, String method) {
		assertThat(JavaMethodNames.of(rpc)).isEqualTo(method);
	}

	@Test
	void leaveOutTheService() {
		assertThat(JavaMethodNames.of(GreeterGrpc.getHelloMethod())).isEqualTo("hello");
	}

}
