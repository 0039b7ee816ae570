package dev.grpcloop.boot;

import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaMethod;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchCondition;
import com.tngtech.archunit.lang.ArchRule;
import com.tngtech.archunit.lang.ConditionEvents;
import com.tngtech.archunit.lang.SimpleConditionEvent;
import com.tngtech.archunit.core.domain.JavaClasses;

import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.annotation.AnnotatedElementUtils;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.methods;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.Architectures.layeredArchitecture;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * How this module is cut.
 */
@AnalyzeClasses(packages = "dev.grpcloop.boot", importOptions = ImportOption.DoNotIncludeTests.class)
class ArchitectureTests {

	/** What other modules and applications may use, a line each. */
	private static final List<String> DOORS = """
			A66MetersFactory
			AccessLog
			AccessLogFormat
			AccessLogMeters
			AccessLogProperties
			AdviceDiscoverer
			AdviceExceptionHandler
			AvailabilityListener
			Blocking
			CallExceptions
			CallExecutor
			CallExecutorFactory
			CallMeterSettings
			CallMetersFactory
			CallObservation
			CallObservationInterceptor
			CallRecorder
			CallTaskExecutor
			CheckedService
			CompanionServices
			ConstraintRules
			ConstraintValidators
			ContextGrpcServiceConfigurer
			ContextGrpcServiceDiscoverer
			ContributorHealthCheck
			EngineMeters
			ErrorCode
			EventLoopGrpcServerFactory
			EventLoopGrpcServerLifecycle
			ExceptionTranslator
			ExecutorMode
			ExecutorProperties
			ExecutorStatistics
			FlowControlProperties
			GrpcCallContext
			GrpcController
			GrpcControllerRegistrar
			GrpcEndpoint
			GrpcEndpointProperties
			GrpcEndpointWebExtension
			GrpcEventLoopProvider
			GrpcInfoContributor
			GrpcLoopSecurityAutoConfiguration
			GrpcLoopServerAutoConfiguration
			GrpcMethod
			GrpcServerExecutorProvider
			GrpcServerHealthIndicator
			GrpcServerProperties
			GrpcServices
			GrpcSink
			GuardProperties
			HandlerInterceptor
			HealthCheck
			HealthProperties
			HealthSchedule
			HealthServices
			InProcessServerFactory
			InProcessServerLifecycle
			InboundProperties
			JavaMethodNames
			KeepaliveProperties
			KeyCheck
			LatencyBuckets
			LibraryCheck
			LibraryVersions
			LoopStatistics
			ManagedServerHealth
			MeterNames
			MethodStatistics
			MetricsProperties
			NetDevhMetersFactory
			NonBlocking
			ObservedServer
			ObservationProperties
			ObservationRecorder
			ObservedMethods
			ObservedRecorders
			ObservedStreams
			OwnArguments
			ProtovalidateRules
			RecentActivity
			ReasonNames
			ReflectionServices
			ReportingGrpcServerHealth
			RequestValidation
			ServerHealth
			ServerMeters
			ServerMode
			ServerStatistics
			ServiceBean
			LocalServices
			ServiceBeans
			ServiceDefinitionBean
			ServiceDefinitionRegistrar
			ServiceDetails
			ServiceInterceptorContributor
			ServiceLink
			ServiceOwners
			ServingStatusMapping
			ShutdownProperties
			ShutdownTimes
			UnseenCalls
			WebExceptions
			""".lines().toList();

	@ArchTest
	static final ArchRule packagesHaveNoCycles = slices().matching("dev.grpcloop.boot.(*)..").should().beFreeOfCycles();

	@ArchTest
	static final ArchRule packagesAreLayers = layeredArchitecture().consideringOnlyDependenciesInLayers()
		.layer("autoconfigure")
		.definedBy("..boot.autoconfigure..")
		.layer("server")
		.definedBy("..boot.server..")
		.layer("service")
		.definedBy("..boot.service..")
		.layer("controller")
		.definedBy("..boot.controller..")
		.layer("executor")
		.definedBy("..boot.executor..")
		.layer("validation")
		.definedBy("..boot.validation..")
		.layer("exception")
		.definedBy("..boot.exception..")
		.layer("health")
		.definedBy("..boot.health..")
		.layer("library")
		.definedBy("..boot.library..")
		.layer("keys")
		.definedBy("..boot.keys..")
		.layer("reflection")
		.definedBy("..boot.reflection..")
		.layer("metrics")
		.definedBy("..boot.metrics..")
		.layer("observation")
		.definedBy("..boot.observation..")
		.layer("endpoint")
		.definedBy("..boot.endpoint..")
		.layer("accesslog")
		.definedBy("..boot.accesslog..")
		.layer("statistics")
		.definedBy("..boot.statistics..")
		.whereLayer("autoconfigure")
		.mayNotBeAccessedByAnyLayer()
		.whereLayer("server")
		.mayOnlyBeAccessedByLayers("autoconfigure", "health", "reflection", "endpoint")
		.whereLayer("health")
		.mayOnlyBeAccessedByLayers("autoconfigure")
		.whereLayer("validation")
		.mayOnlyBeAccessedByLayers("autoconfigure")
		.whereLayer("exception")
		.mayOnlyBeAccessedByLayers("autoconfigure", "validation")
		.whereLayer("service")
		.mayOnlyBeAccessedByLayers("autoconfigure", "server", "controller", "exception", "validation")
		.whereLayer("reflection")
		.mayOnlyBeAccessedByLayers("autoconfigure")
		.whereLayer("controller")
		.mayOnlyBeAccessedByLayers("autoconfigure")
		.whereLayer("executor")
		.mayOnlyBeAccessedByLayers("autoconfigure", "server", "controller", "metrics")
		.whereLayer("library")
		.mayOnlyBeAccessedByLayers("autoconfigure")
		.whereLayer("keys")
		.mayOnlyBeAccessedByLayers("autoconfigure")
		.whereLayer("statistics")
		.mayOnlyBeAccessedByLayers("autoconfigure", "metrics", "observation", "endpoint")
		.whereLayer("observation")
		.mayOnlyBeAccessedByLayers("autoconfigure")
		.whereLayer("accesslog")
		.mayOnlyBeAccessedByLayers("autoconfigure")
		.whereLayer("endpoint")
		.mayOnlyBeAccessedByLayers("autoconfigure")
		.whereLayer("metrics")
		.mayOnlyBeAccessedByLayers("autoconfigure");

	@ArchTest
	static final ArchRule micrometerIsOptional = noClasses().that()
		.resideOutsideOfPackages("..boot.metrics..", "..boot.observation..")
		.and()
		.doNotHaveSimpleName("MicrometerConfiguration")
		.and()
		.doNotHaveSimpleName("EngineMetersConfiguration")
		.and()
		.haveNameNotMatching(".*\\.AdditionalNamesConfiguration(\\$.*)?")
		.and()
		.doNotHaveSimpleName("ObservationConfiguration")
		.and()
		.doNotHaveSimpleName("SnapshotCallerContext")
		.and()
		.doNotHaveSimpleName("ObservationCallerContext")
		.should()
		.dependOnClassesThat()
		.resideInAnyPackage("io.micrometer..");

	@ArchTest
	static final ArchRule springBootsServerIsOptional = noClasses().that()
		.haveNameNotMatching(".*\\.(SpringBoot(Server|Health)Configuration|ReportingGrpcServerHealth)(\\$.*)?")
		.should()
		.dependOnClassesThat()
		.resideInAnyPackage("org.springframework.boot.grpc..");

	@ArchTest
	static final ArchRule grpcServicesAreOptional = noClasses().that()
		.resideOutsideOfPackages("..boot.health..", "..boot.reflection..")
		.and()
		.haveNameNotMatching(
				".*\\.((SpringBoot)?Health(Check|Termination)?Configuration|HealthProperties(\\$.*)?|ReflectionConfiguration)")
		.should()
		.dependOnClassesThat()
		.resideInAnyPackage("io.grpc.health..", "io.grpc.reflection..", "io.grpc.protobuf.services..");

	@ArchTest
	static final ArchRule springBootsHealthIsOptional = noClasses().that()
		.haveNameNotMatching(".*\\.(HealthCheckConfiguration|HealthIndicatorConfiguration|GrpcServerHealthIndicator"
				+ "|HealthMembershipValidation|CheckedService"
				+ "|ContributorHealthCheck|ReportingGrpcServerHealth|ServingStatusMapping|SpringBootHealthConfiguration)(\\$.*)?")
		.should()
		.dependOnClassesThat()
		.resideInAnyPackage("org.springframework.boot.health..");

	@ArchTest
	static final ArchRule actuatorIsOptional = noClasses().that()
		.resideOutsideOfPackage("..boot.endpoint..")
		.and()
		.haveNameNotMatching(".*\\.((Endpoint|Info)Configuration|GrpcEndpointProperties)")
		.should()
		.dependOnClassesThat()
		.resideInAnyPackage("org.springframework.boot.actuate..");

	@ArchTest
	static final ArchRule validationIsOptional = noClasses().that()
		.resideOutsideOfPackage("..boot.validation..")
		.and()
		.haveNameNotMatching(".*\\.ValidationConfiguration(\\$.*)?")
		.should()
		.dependOnClassesThat()
		.resideInAnyPackage("jakarta.validation..", "build.buf..", "com.google.protobuf..");

	@ArchTest
	static final ArchRule richStatusesAreOptional = noClasses().that()
		.resideOutsideOfPackage("..boot.validation..")
		.and()
		.doNotHaveSimpleName("RichStatus")
		.should()
		.dependOnClassesThat()
		.resideInAnyPackage("io.grpc.protobuf", "com.google.rpc..");

	@ArchTest
	static final ArchRule springWebIsOptional = noClasses().that()
		.doNotHaveSimpleName("WebExceptions")
		.should()
		.dependOnClassesThat()
		.resideInAnyPackage("org.springframework.web..", "org.springframework.http..");

	@ArchTest
	static final ArchRule reactorIsOptional = noClasses().that()
		.doNotHaveSimpleName("ReactorBridge")
		.should()
		.dependOnClassesThat()
		.resideInAnyPackage("reactor..", "org.reactivestreams..");

	@ArchTest
	static final ArchRule internalsOfGrpcAreNotUsed = noClasses().should()
		.dependOnClassesThat()
		.resideInAnyPackage("io.grpc.internal..", "org.springframework.grpc.internal..");

	@ArchTest
	static final ArchRule beansHaveOurPrefixAndGiveWay = methods().that()
		.areAnnotatedWith(Bean.class)
		.should()
		.haveNameStartingWith("grpcLoop")
		.andShould()
		.beAnnotatedWith(ConditionalOnMissingBean.class)
		.andShould(notBePublic());

	@ArchTest
	static final ArchRule configurationsAreHidden = classes().that()
		.areAnnotatedWith(Configuration.class)
		.should()
		.bePackagePrivate();

	/** So that no class is made at run time. */
	@ArchTest
	static final ArchRule configurationsNeedNoProxies = classes().that()
		.areMetaAnnotatedWith(Configuration.class)
		.or()
		.areAnnotatedWith(Configuration.class)
		.should(haveNoProxiedMethods());

	private static ArchCondition<JavaClass> haveNoProxiedMethods() {
		return new ArchCondition<>("have proxyBeanMethods = false") {

			@Override
			public void check(JavaClass type, ConditionEvents events) {
				boolean proxied = AnnotatedElementUtils.getMergedAnnotation(type.reflect(), Configuration.class)
					.proxyBeanMethods();
				events.add(new SimpleConditionEvent(type, !proxied, type.getName() + " has proxied methods"));
			}

		};
	}

	@ArchTest
	static void onlyTheDoorsArePublic(JavaClasses classes) {
		Set<String> doors = classes.stream()
			.filter((type) -> type.getModifiers().contains(JavaModifier.PUBLIC) && type.isTopLevelClass())
			.map(JavaClass::getSimpleName)
			.collect(Collectors.toSet());
		assertThat(doors).containsExactlyInAnyOrderElementsOf(DOORS);
	}

	private static ArchCondition<JavaMethod> notBePublic() {
		return new ArchCondition<>("not be public") {

			@Override
			public void check(JavaMethod method, ConditionEvents events) {
				boolean isPublic = method.getModifiers().contains(JavaModifier.PUBLIC);
				events.add(new SimpleConditionEvent(method, !isPublic, method.getFullName() + " is public"));
			}

		};
	}

}
