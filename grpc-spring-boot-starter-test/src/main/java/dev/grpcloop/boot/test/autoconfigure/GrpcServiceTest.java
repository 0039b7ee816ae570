package dev.grpcloop.boot.test.autoconfigure;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

import dev.grpcloop.boot.GrpcController;
import dev.grpcloop.boot.exception.ExceptionTranslator;
import dev.grpcloop.boot.service.ServiceInterceptorContributor;
import io.grpc.BindableService;
import io.grpc.ServerInterceptor;
import org.junit.jupiter.api.extension.ExtendWith;

import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.boot.test.autoconfigure.OverrideAutoConfiguration;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.context.filter.annotation.TypeExcludeFilters;
import org.springframework.context.annotation.ComponentScan.Filter;
import org.springframework.context.annotation.Import;
import org.springframework.core.annotation.AliasFor;
import org.springframework.core.env.Environment;
import org.springframework.grpc.server.GlobalServerInterceptor;
import org.springframework.grpc.server.ServerBuilderCustomizer;
import org.springframework.grpc.server.ServerServiceDefinitionFilter;
import org.springframework.grpc.server.advice.GrpcAdvice;
import org.springframework.grpc.server.exception.GrpcExceptionHandler;
import org.springframework.grpc.server.service.GrpcService;
import org.springframework.grpc.server.service.ServerInterceptorFilter;
import org.springframework.test.context.BootstrapWith;
import org.springframework.test.context.junit.jupiter.SpringExtension;

/**
 * A test of gRPC services with nothing else of their application, as {@code @WebMvcTest}
 * is one of web controllers.
 * <p>
 * Only the auto-configurations that a gRPC service needs are used, and of the application
 * only these components are found:
 * <ul>
 * <li>the {@link #services() services} that are named; if none is, all that implement
 * {@link BindableService} or are marked {@link GrpcService @GrpcService} or
 * {@link GrpcController @GrpcController}</li>
 * <li>{@link GlobalServerInterceptor @GlobalServerInterceptor} and every
 * {@link ServerInterceptor}</li>
 * <li>{@link GrpcAdvice @GrpcAdvice}, {@link GrpcExceptionHandler} and
 * {@link ExceptionTranslator}</li>
 * <li>{@link ServerInterceptorFilter}, {@link ServerServiceDefinitionFilter},
 * {@link ServiceInterceptorContributor} and {@link ServerBuilderCustomizer}</li>
 * </ul>
 * Other components, {@code @Configuration} classes among them, are not; give the services
 * their collaborators with {@code @MockitoBean} or {@link Import @Import}.
 * <p>
 * The services are called through a transport within the process, see
 * {@link AutoConfigureTestGrpcTransport}; a stub can be injected, see
 * {@link LocalGrpcClient}. For a test of the whole application over the network use
 * {@link SpringBootTest @SpringBootTest}.
 */
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@Documented
@Inherited
@BootstrapWith(GrpcServiceTestContextBootstrapper.class)
@ExtendWith(SpringExtension.class)
@OverrideAutoConfiguration(enabled = false)
@TypeExcludeFilters(GrpcServiceTypeExcludeFilter.class)
@AutoConfigureTestGrpcTransport
@ImportAutoConfiguration
public @interface GrpcServiceTest {

	/**
	 * Properties of the form {@code key=value} that are added to the {@link Environment}.
	 * @return none by default
	 */
	String[] properties() default {};

	/**
	 * The services to test, an alias of {@link #services()}.
	 * @return all services of the application by default
	 */
	@AliasFor("services")
	Class<?>[] value() default {};

	/**
	 * The services to test: classes of components, or what those extend or are marked
	 * with.
	 * @return all services of the application by default
	 */
	@AliasFor("value")
	Class<?>[] services() default {};

	/**
	 * Whether {@link SpringBootApplication @SpringBootApplication} finds the components
	 * that are listed above; if not, it finds those that {@link #includeFilters()}
	 * accept.
	 * @return {@code true} by default
	 */
	boolean useDefaultFilters() default true;

	/**
	 * What is found besides.
	 * @return nothing by default
	 */
	Filter[] includeFilters() default {};

	/**
	 * What is not found although it is listed above or included.
	 * @return nothing by default
	 */
	Filter[] excludeFilters() default {};

	/**
	 * The auto-configurations that are not used although a gRPC service may need them.
	 * @return none by default
	 */
	@AliasFor(annotation = ImportAutoConfiguration.class, attribute = "exclude")
	Class<?>[] excludeAutoConfiguration() default {};

}
