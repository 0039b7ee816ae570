package dev.grpcloop.boot.keys;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import java.util.stream.Stream;

import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;

import org.springframework.beans.factory.config.BeanFactoryPostProcessor;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.diagnostics.FailureAnalyzedException;
import org.springframework.core.env.ConfigurableEnvironment;
import org.springframework.core.env.Environment;
import org.springframework.util.ClassUtils;

/**
 * Looks at the keys that the application has set before any bean reads them. Those that
 * nobody knows are listed in one warning, each with the key that was probably meant;
 * those of other starters in another, each with what to write instead. Neither stops the
 * start; keys of other starters that ask for TLS do.
 */
public final class KeyCheck implements BeanFactoryPostProcessor {

	/** Where the annotation processor of Spring Boot writes which keys a jar has. */
	public static final String METADATA = "META-INF/spring-configuration-metadata.json";

	private static final Log logger = LogFactory.getLog(KeyCheck.class);

	private static final String OURS = "grpc.server.";

	private static final String SPRING_BOOTS = "spring.grpc.server.";

	private static final String SPRING_BOOTS_PROPERTIES = "org.springframework.boot.grpc.server.autoconfigure.GrpcServerProperties";

	private final Environment environment;

	/**
	 * Creates the check.
	 * @param environment where keys are set
	 */
	public KeyCheck(Environment environment) {
		this.environment = environment;
	}

	/**
	 * Checks the keys.
	 * @throws FailureAnalyzedException if one of another starter asks for TLS
	 */
	@Override
	public void postProcessBeanFactory(ConfigurableListableBeanFactory beanFactory) {
		if (this.environment instanceof ConfigurableEnvironment configurable) {
			ClassLoader classLoader = beanFactory.getBeanClassLoader();
			check(new SetKeys(configurable), (classLoader != null) ? classLoader : ClassUtils.getDefaultClassLoader());
		}
	}

	private void check(SetKeys set, ClassLoader classLoader) {
		KnownKeys ours = KnownKeys.of(OURS, KeyCheck.class.getName(), classLoader);
		KnownKeys springBoots = KnownKeys.of(SPRING_BOOTS, SPRING_BOOTS_PROPERTIES, classLoader);
		FormerKeyReport former = FormerKeyReport.of(ours, springBoots);
		log("Properties of another gRPC starter are set and have no effect. docs/migration.md has them all.",
				former.lines(set));
		former.refusals().forEach((refusal) -> refusal.check(set));
		NearMisses misses = new NearMisses(List.of(ours, springBoots));
		if (!misses.in(set.written(), former::knows).isEmpty()) {
			// rare, so that only now all other jars are asked
			List<KnownKeys> others = Stream.of("grpc.", "spring.grpc.")
				.map((prefix) -> KnownKeys.everywhere(prefix, classLoader))
				.toList();
			Predicate<SetKey> known = former::knows;
			log("These are no properties of the gRPC server. docs/configuration.md has those that are.", misses
				.in(set.written(), known.or((key) -> others.stream().anyMatch((other) -> other.has(key.uniform())))));
		}
	}

	private void log(String heading, List<String> lines) {
		if (!lines.isEmpty()) {
			List<String> message = new ArrayList<>(lines);
			message.add(0, heading);
			logger.warn(String.join("%n    - ".formatted(), message));
		}
	}

}
