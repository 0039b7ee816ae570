package dev.grpcloop.boot.test.sample;

import dev.grpcloop.boot.test.autoconfigure.AutoConfigureTestGrpcTransport;
import dev.grpcloop.boot.test.autoconfigure.GrpcServiceTest;
import dev.grpcloop.boot.test.v1.GreeterGrpc;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.context.TestConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Import;
import org.springframework.grpc.client.interceptor.security.BasicAuthenticationInterceptor;
import org.springframework.grpc.server.GlobalServerInterceptor;
import org.springframework.grpc.server.security.AuthenticationProcessInterceptor;
import org.springframework.grpc.server.security.GrpcSecurity;
import org.springframework.security.config.Customizer;
import org.springframework.security.core.userdetails.User;
import org.springframework.security.provisioning.InMemoryUserDetailsManager;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * What an application says with {@link GrpcSecurity} holds in its tests, too.
 */
class SecuredTransportTests {

	static void onlyAdaIsServed(GreeterGrpc.GreeterBlockingStub greeter) {
		assertThatExceptionOfType(StatusRuntimeException.class).isThrownBy(() -> greeter.hello(Requests.ADA))
			.satisfies((ex) -> assertThat(ex.getStatus().getCode()).isEqualTo(Status.Code.UNAUTHENTICATED));
		assertThat(greeter.withInterceptors(new BasicAuthenticationInterceptor("ada", "secret"))
			.hello(Requests.ADA)
			.getMessage()).isEqualTo("Hello Ada");
	}

	@Nested
	@SpringBootTest(classes = { TestedApplication.class, Security.class })
	@AutoConfigureTestGrpcTransport
	class OfAWholeApplication {

		@Test
		void callsAreAuthenticated(@Autowired GreeterGrpc.GreeterBlockingStub greeter) {
			onlyAdaIsServed(greeter);
		}

	}

	@Nested
	@GrpcServiceTest(GreeterService.class)
	@Import({ Security.class, Greetings.class })
	class OfASlice {

		@Test
		void callsAreAuthenticated(@Autowired GreeterGrpc.GreeterBlockingStub greeter) {
			onlyAdaIsServed(greeter);
		}

	}

	@TestConfiguration(proxyBeanMethods = false)
	static class Security {

		@Bean
		InMemoryUserDetailsManager users() {
			return new InMemoryUserDetailsManager(User.withUsername("ada").password("{noop}secret").build());
		}

		@Bean
		@GlobalServerInterceptor
		AuthenticationProcessInterceptor authentication(GrpcSecurity security) throws Exception {
			return security.httpBasic(Customizer.withDefaults())
				.authorizeRequests((requests) -> requests.allRequests().authenticated())
				.build();
		}

	}

}
