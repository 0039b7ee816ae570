package dev.grpcloop.boot.autoconfigure;

import java.nio.charset.StandardCharsets;
import java.util.Base64;

import dev.grpcloop.boot.test.v1.GreeterGrpc;
import dev.grpcloop.boot.test.v1.HelloRequest;
import dev.grpcloop.boot.test.v1.HelloResponse;
import dev.grpcloop.boot.testsupport.GreeterClient;
import dev.grpcloop.boot.testsupport.GreeterService;
import dev.grpcloop.boot.testsupport.TestApplications;
import io.grpc.Metadata;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.stub.MetadataUtils;
import io.grpc.stub.StreamObserver;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.boot.security.autoconfigure.SecurityAutoConfiguration;
import org.springframework.boot.security.autoconfigure.UserDetailsServiceAutoConfiguration;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.grpc.server.GlobalServerInterceptor;
import org.springframework.grpc.server.security.AuthenticationProcessInterceptor;
import org.springframework.grpc.server.security.GrpcSecurity;
import org.springframework.security.access.prepost.PreAuthorize;
import org.springframework.security.config.Customizer;
import org.springframework.security.config.ObjectPostProcessor;
import org.springframework.security.config.annotation.method.configuration.EnableMethodSecurity;
import org.springframework.security.core.context.SecurityContextHolder;
import org.springframework.security.core.userdetails.User;
import org.springframework.security.core.userdetails.UserDetailsService;
import org.springframework.security.provisioning.InMemoryUserDetailsManager;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Spring Security around calls, without Spring Boot's own gRPC server.
 */
@Timeout(60)
class SecurityTests {

	@ParameterizedTest
	@ValueSource(strings = { "event-loop", "platform" })
	void callersAreAuthenticatedAndAuthorizedWhereverServiceCodeRuns(String mode) throws Exception {
		try (ConfigurableApplicationContext context = TestApplications.run(Secured.class,
				"grpc.server.executor.mode=" + mode); GreeterClient client = GreeterClient.of(context)) {
			assertThat(hello(client, "ada", "secret")).isEqualTo("Hello ada");
			assertThat(refusal(client, null, "")).isEqualTo(Status.Code.UNAUTHENTICATED);
			assertThat(refusal(client, "ada", "wrong")).isEqualTo(Status.Code.UNAUTHENTICATED);
			assertThat(refusal(client, "bob", "secret")).isEqualTo(Status.Code.PERMISSION_DENIED);
			assertThat(hello(client, "ada", "secret")).isEqualTo("Hello ada");
		}
	}

	@Test
	void anApplicationWithoutSpringSecurityHasNoneOfIt() {
		new ApplicationContextRunner()
			.withConfiguration(AutoConfigurations.of(GrpcLoopServerAutoConfiguration.class,
					GrpcLoopSecurityAutoConfiguration.class))
			.withPropertyValues("grpc.server.port=0")
			.withClassLoader(new FilteredClassLoader(ObjectPostProcessor.class))
			.run((context) -> assertThat(context).hasNotFailed().doesNotHaveBean(GrpcSecurity.class));
	}

	private static String hello(GreeterClient client, @Nullable String user, String password) {
		GreeterGrpc.GreeterBlockingStub stub = GreeterGrpc.newBlockingStub(client.channel());
		if (user != null) {
			Metadata headers = new Metadata();
			String credentials = Base64.getEncoder()
				.encodeToString((user + ":" + password).getBytes(StandardCharsets.UTF_8));
			headers.put(Metadata.Key.of("authorization", Metadata.ASCII_STRING_MARSHALLER), "Basic " + credentials);
			stub = stub.withInterceptors(MetadataUtils.newAttachHeadersInterceptor(headers));
		}
		return stub.hello(GreeterService.request("x")).getMessage();
	}

	private static Status.Code refusal(GreeterClient client, @Nullable String user, String password) {
		return assertThatExceptionOfType(StatusRuntimeException.class).isThrownBy(() -> hello(client, user, password))
			.actual()
			.getStatus()
			.getCode();
	}

	@Configuration(proxyBeanMethods = false)
	@EnableMethodSecurity
	@ImportAutoConfiguration({ SecurityAutoConfiguration.class, UserDetailsServiceAutoConfiguration.class,
			GrpcLoopSecurityAutoConfiguration.class })
	@Import(SecuredService.class)
	static class Secured {

		@Bean
		@GlobalServerInterceptor
		AuthenticationProcessInterceptor authentication(GrpcSecurity security) throws Exception {
			return security.httpBasic(Customizer.withDefaults())
				.authorizeRequests((requests) -> requests.allRequests().authenticated())
				.build();
		}

		@Bean
		UserDetailsService users() {
			return new InMemoryUserDetailsManager(
					User.withUsername("ada").password("{noop}secret").roles("ADMIN").build(),
					User.withUsername("bob").password("{noop}secret").roles("USER").build());
		}

	}

	static class SecuredService extends GreeterGrpc.GreeterImplBase {

		@Override
		@PreAuthorize("hasRole('ADMIN')")
		public void hello(HelloRequest request, StreamObserver<HelloResponse> responses) {
			String user = SecurityContextHolder.getContext().getAuthentication().getName();
			responses.onNext(HelloResponse.newBuilder().setMessage("Hello " + user).build());
			responses.onCompleted();
		}

	}

}
