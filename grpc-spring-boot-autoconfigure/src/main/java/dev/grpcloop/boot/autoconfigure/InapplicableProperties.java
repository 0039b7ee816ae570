package dev.grpcloop.boot.autoconfigure;

import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;

import dev.grpcloop.boot.keys.ServiceLink;
import dev.grpcloop.boot.server.ServerMode;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;

import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.context.properties.source.ConfigurationProperty;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName;
import org.springframework.boot.context.properties.source.ConfigurationPropertySource;
import org.springframework.boot.context.properties.source.ConfigurationPropertySources;
import org.springframework.boot.context.properties.source.IterableConfigurationPropertySource;
import org.springframework.context.ApplicationContext;
import org.springframework.util.ClassUtils;

/**
 * Names the properties that somebody has set to no effect, since this server has taken
 * the place of Spring Boot's, and says what to write instead. One warning, all names.
 */
final class InapplicableProperties implements SmartInitializingSingleton {

	private static final Log logger = LogFactory.getLog(InapplicableProperties.class);

	private static final ConfigurationPropertyName PREFIX = ConfigurationPropertyName.of(ServerMode.PREFIX);

	private static final ConfigurationPropertyName SPRING_BOOT_PREFIX = ConfigurationPropertyName
		.of(ServerMode.SPRING_BOOT_PREFIX);

	private static final ConfigurationPropertyName SERVLET = SPRING_BOOT_PREFIX.append("servlet");

	private static final ConfigurationPropertyName SERVLET_ENABLED = SERVLET.append("enabled");

	private static final ConfigurationPropertyName CSRF = SPRING_BOOT_PREFIX.append("security.csrf");

	private static final String OWN_PORT = "no servlet serves gRPC here: the event-loop server listens on "
			+ "spring.grpc.server.port";

	private final ApplicationContext context;

	InapplicableProperties(ApplicationContext context) {
		this.context = context;
	}

	@Override
	public void afterSingletonsInstantiated() {
		Map<String, String> remedies = remedies();
		if (!remedies.isEmpty()) {
			logger.warn(remedies.entrySet()
				.stream()
				.map((remedy) -> "\n    - " + remedy.getKey() + ": " + remedy.getValue())
				.collect(Collectors.joining("",
						"These properties have no effect, since the event-loop server runs in the place of Spring "
								+ "Boot's (spring-boot-grpc-server is on the class path):",
						"")));
		}
	}

	private Map<String, String> remedies() {
		Map<String, String> remedies = new TreeMap<>();
		names().forEach((name) -> {
			if (PREFIX.isAncestorOf(name)) {
				ofOurs(name, remedies);
			}
			else if (SPRING_BOOT_PREFIX.isAncestorOf(name)) {
				ofSpringBoots(name, remedies);
			}
		});
		if (isServletExpected()) {
			remedies.putIfAbsent(SERVLET_ENABLED.toString(), "it is not set, and since grpc-servlet-jakarta is on the "
					+ "class path Spring Boot would serve gRPC in the web server; " + OWN_PORT + "; set it to false");
		}
		return remedies;
	}

	private Stream<ConfigurationPropertyName> names() {
		return StreamSupport
			.stream(ConfigurationPropertySources.get(this.context.getEnvironment()).spliterator(), false)
			.filter(IterableConfigurationPropertySource.class::isInstance)
			.map(IterableConfigurationPropertySource.class::cast)
			.flatMap((source) -> source.filter((name) -> isSet(name, source)).stream());
	}

	/** Nobody has set what Kubernetes makes of a Service of the name grpc-server. */
	private static boolean isSet(ConfigurationPropertyName name, ConfigurationPropertySource source) {
		ConfigurationProperty property = source.getConfigurationProperty(name);
		return property != null && ServiceLink.of(property).isEmpty();
	}

	private void ofOurs(ConfigurationPropertyName name, Map<String, String> remedies) {
		ConfigurationPropertyName key = name.subName(PREFIX.getNumberOfElements());
		if (ServerMode.isSpringBoots(key)) {
			remedies.put(name.toString(), "write " + SPRING_BOOT_PREFIX.append(key));
		}
	}

	private void ofSpringBoots(ConfigurationPropertyName name, Map<String, String> remedies) {
		ConfigurationPropertyName key = name.subName(SPRING_BOOT_PREFIX.getNumberOfElements());
		if (SERVLET.isAncestorOf(name) && !isServletSwitchedOff()) {
			remedies.put(name.toString(), OWN_PORT);
		}
		else if (CSRF.isAncestorOf(name)) {
			remedies.put(name.toString(), "there is no web request to protect; " + OWN_PORT);
		}
		else if (!ServerMode.isSpringBoots(key) && AllowedValues.of(name.toString()) != null
				&& !key.toString().equals("enabled")) {
			remedies.put(name.toString(), "write " + PREFIX.append(key));
		}
	}

	private boolean isServletSwitchedOff() {
		return Binder.get(this.context.getEnvironment())
			.bind(SERVLET_ENABLED.toString(), Boolean.class)
			.map((enabled) -> !enabled)
			.orElse(false);
	}

	/** As Spring Boot's own configuration would decide. */
	private boolean isServletExpected() {
		ClassLoader classLoader = this.context.getClassLoader();
		return !isServletSwitchedOff() && ClassUtils.isPresent("io.grpc.servlet.jakarta.GrpcServlet", classLoader)
				&& ClassUtils.isPresent("org.springframework.web.context.WebApplicationContext", classLoader)
				&& Stream.of(ClassUtils.getAllInterfaces(this.context))
					.anyMatch((type) -> type.getName().equals("org.springframework.web.context.WebApplicationContext"));
	}

}
