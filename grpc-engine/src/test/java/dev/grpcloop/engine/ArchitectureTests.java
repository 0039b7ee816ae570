package dev.grpcloop.engine;

import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;

import static com.tngtech.archunit.base.DescribedPredicate.not;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.properties.HasName.Predicates.nameMatching;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.Architectures.layeredArchitecture;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

/**
 * How the engine is cut: the layers of {@code docs/architecture.md}.
 */
@AnalyzeClasses(packages = "dev.grpcloop.engine", importOptions = ImportOption.DoNotIncludeTests.class)
class ArchitectureTests {

	@ArchTest
	static final ArchRule packagesAreLayers = layeredArchitecture().consideringOnlyDependenciesInLayers()
		.layer("engine")
		.definedBy("dev.grpcloop.engine")
		.layer("http2")
		.definedBy("..engine.http2..")
		.layer("call")
		.definedBy("..engine.call..")
		.layer("message")
		.definedBy("..engine.message..")
		.layer("telemetry")
		.definedBy("..engine.telemetry..")
		.layer("transport")
		.definedBy("..engine.transport..")
		.whereLayer("engine")
		.mayNotBeAccessedByAnyLayer()
		.whereLayer("http2")
		.mayOnlyBeAccessedByLayers("engine")
		.whereLayer("call")
		.mayOnlyBeAccessedByLayers("engine", "http2")
		.whereLayer("message")
		.mayOnlyBeAccessedByLayers("engine", "http2", "call")
		.whereLayer("telemetry")
		.mayOnlyBeAccessedByLayers("engine", "http2", "call")
		.whereLayer("transport")
		.mayOnlyBeAccessedByLayers("engine");

	@ArchTest
	static final ArchRule packagesHaveNoCycles = slices().matching("dev.grpcloop.engine.(*)..")
		.should()
		.beFreeOfCycles();

	@ArchTest
	static final ArchRule messagesKnowNoChannel = noClasses().that()
		.resideInAPackage("..engine.message..")
		.should()
		.dependOnClassesThat()
		.resideInAnyPackage("io.netty.channel..", "io.netty.handler..");

	@ArchTest
	static final ArchRule callsKnowNoHttp2 = noClasses().that()
		.resideInAPackage("..engine.call..")
		.should()
		.dependOnClassesThat()
		.resideInAnyPackage("io.netty.channel..", "io.netty.handler..");

	@ArchTest
	static final ArchRule nettysConnectionHandlersAreNotUsed = noClasses().should()
		.dependOnClassesThat()
		.haveNameMatching("io\\.netty\\.handler\\.codec\\.http2\\."
				+ "(Http2ConnectionHandler|Http2MultiplexHandler|Http2FrameCodec|DefaultHttp2Connection)(\\$.*)?");

	@ArchTest
	static final ArchRule internalsOfGrpcAreNotUsed = noClasses().should()
		.dependOnClassesThat(resideInAPackage("io.grpc.internal..").or(nameMatching("io\\.grpc\\.Internal.*")
			.and(not(nameMatching("io\\.grpc\\.Internal(Metadata|Server|DecompressorRegistry)(\\$.*)?")))));

	@ArchTest
	static final ArchRule theEngineIsFreeOfFrameworks = noClasses().should()
		.dependOnClassesThat()
		.resideInAnyPackage("org.springframework..", "io.micrometer..", "reactor..", "jakarta..");

}
