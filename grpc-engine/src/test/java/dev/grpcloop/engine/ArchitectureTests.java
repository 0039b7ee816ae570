package dev.grpcloop.engine;

import java.util.List;
import java.util.Set;
import java.util.logging.Logger;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;
import io.grpc.InternalDecompressorRegistry;
import io.grpc.InternalMetadata;
import io.grpc.InternalServer;

import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.Architectures.layeredArchitecture;
import static com.tngtech.archunit.library.GeneralCodingRules.NO_CLASSES_SHOULD_ACCESS_STANDARD_STREAMS;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * The layers of the engine and what each may touch.
 */
@AnalyzeClasses(packages = ArchitectureTests.ROOT, importOptions = ImportOption.DoNotIncludeTests.class)
class ArchitectureTests {

	static final String ROOT = "dev.grpcloop.engine";

	private static final Set<String> INTERNALS_IN_USE = Set.of(InternalMetadata.class.getName(),
			InternalServer.class.getName(), InternalDecompressorRegistry.class.getName());

	@ArchTest
	static final ArchRule importsRunOneWay = layeredArchitecture().consideringOnlyDependenciesInLayers()
		.layer("engine")
		.definedBy(ROOT)
		.layer("http2")
		.definedBy(ROOT + ".http2..")
		.layer("call")
		.definedBy(ROOT + ".call..")
		.layer("message")
		.definedBy(ROOT + ".message..")
		.layer("telemetry")
		.definedBy(ROOT + ".telemetry..")
		.layer("transport")
		.definedBy(ROOT + ".transport..")
		.whereLayer("engine")
		.mayNotBeAccessedByAnyLayer()
		.whereLayer("http2")
		.mayOnlyBeAccessedByLayers("engine")
		.whereLayer("transport")
		.mayOnlyBeAccessedByLayers("engine")
		.whereLayer("call")
		.mayOnlyBeAccessedByLayers("http2", "engine")
		.whereLayer("message")
		.mayOnlyBeAccessedByLayers("call", "http2", "engine")
		.whereLayer("telemetry")
		.mayOnlyBeAccessedByLayers("call", "http2", "engine")
		.ensureAllClassesAreContainedInArchitecture();

	@ArchTest
	static final ArchRule packagesAreFreeOfCycles = slices().matching(ROOT + ".(*)..").should().beFreeOfCycles();

	@ArchTest
	static final ArchRule ofGrpcOnlyWhatIsPublic = noClasses().should()
		.dependOnClassesThat(resideInAnyPackage("io.grpc.internal..", "io.grpc.netty..", "io.grpc.util..")
			.or(DescribedPredicate.describe("are internals of io.grpc beyond the three in use",
					(type) -> type.getPackageName().startsWith("io.grpc")
							&& outermost(type).getSimpleName().startsWith("Internal")
							&& !INTERNALS_IN_USE.contains(outermost(type).getName()))));

	@ArchTest
	static final ArchRule nothingOfSpring = noClasses().should()
		.dependOnClassesThat()
		.resideInAnyPackage("org.springframework..", "io.micrometer..");

	@ArchTest
	static final ArchRule noStandardStreams = NO_CLASSES_SHOULD_ACCESS_STANDARD_STREAMS;

	@ArchTest
	static final ArchRule logsGoThroughSystemLogger = noClasses().should()
		.dependOnClassesThat()
		.resideInAnyPackage(Logger.class.getPackageName(), "org.slf4j..", "io.netty.util.internal.logging..");

	@ArchTest
	static void pureLayersKnowNoChannel(JavaClasses classes) {
		noClasses().that()
			.resideInAnyPackage(ROOT + ".message..", ROOT + ".call..", ROOT + ".telemetry..")
			.should()
			.dependOnClassesThat()
			.resideInAnyPackage("io.netty.channel..", "io.netty.handler..")
			.check(classes);
	}

	@ArchTest
	static void halfOfTheTypesArePackagePrivate(JavaClasses classes) {
		List<JavaClass> types = classes.stream()
			.filter(JavaClass::isTopLevelClass)
			.filter((type) -> !type.getSimpleName().equals("package-info"))
			.toList();
		List<String> visible = types.stream()
			.filter((type) -> type.getModifiers().contains(JavaModifier.PUBLIC))
			.map(JavaClass::getName)
			.toList();
		assertThat(visible).hasSizeLessThanOrEqualTo(types.size() / 2);
	}

	private static JavaClass outermost(JavaClass type) {
		JavaClass outer = type;
		while (outer.getEnclosingClass().isPresent()) {
			outer = outer.getEnclosingClass().get();
		}
		return outer;
	}

}
