package dev.grpcloop.boot.autoconfigure;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;

import dev.grpcloop.boot.testsupport.Metadata;
import dev.grpcloop.boot.testsupport.Metadata.Property;
import dev.grpcloop.boot.testsupport.TestApplications;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

import org.springframework.beans.BeanWrapperImpl;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.BindException;
import org.springframework.boot.context.properties.bind.Bindable;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.context.properties.source.InvalidConfigurationPropertyValueException;
import org.springframework.boot.context.properties.source.MapConfigurationPropertySource;
import org.springframework.boot.convert.ApplicationConversionService;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.util.ClassUtils;
import org.springframework.util.StringUtils;
import org.springframework.util.unit.DataSize;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Each property of the metadata, with values of its type: good ones, wrong ones and none.
 * A property of a new type, or one that takes any text, needs a line here.
 */
class PropertyTableTests {

	/** Texts are not wrong by their form; these are. Nothing stands for none that is. */
	private static final Map<String, List<String>> WRONG_TEXTS = Map.of("address",
			List.of("127.0.0.1:9090", "no.such.host.invalid"), "inprocess.name", List.of());

	/** Maps and lists have tests of their own, where their elements are. */
	private static final List<String> COLLECTIONS = List.of("health.service", "health.status.mapping",
			"health.status.order", "metrics.additional-names");

	@ParameterizedTest
	@MethodSource("properties")
	void nothingIsTheDefaultAndAnEmptyValueToo(Property property) {
		Object byDefault = value(property, Map.of());
		if (property.defaultValue() != null) {
			assertThat(value(property, Map.of(property.name(), String.valueOf(property.defaultValue()))))
				.isEqualTo(byDefault);
		}
		Map<String, String> empty = Map.of(property.name(), "");
		if (byDefault instanceof Integer || byDefault instanceof Boolean) {
			assertThatExceptionOfType(BindException.class).isThrownBy(() -> value(property, empty))
				.satisfies((failure) -> assertThat(explanation(failure, "")).contains("Property " + property.name())
					.contains(AllowedValues.of(property.name())));
		}
		else {
			assertThat(value(property, empty)).isIn(byDefault, "");
		}
	}

	@ParameterizedTest
	@MethodSource("goodValues")
	void aGoodValueIsBound(Property property, String text, Object expected) {
		assertThat(value(property, Map.of(property.name(), text))).isEqualTo(expected);
	}

	@ParameterizedTest
	@MethodSource("goodValues")
	void theNameMayBeSpelledInOtherWays(Property property, String text, Object expected) {
		String camelCase = camelCase(property.name());
		String upperCase = property.name().replace('-', '_').toUpperCase(Locale.ROOT);
		assertThat(value(property, Map.of(camelCase, text))).isEqualTo(expected);
		assertThat(value(property, Map.of(upperCase, text))).isEqualTo(expected);
	}

	@ParameterizedTest
	@MethodSource("malformedValues")
	void aMalformedValueIsNamedWithWhatIsAllowed(Property property, String text) {
		assertThatExceptionOfType(BindException.class).isThrownBy(() -> value(property, Map.of(property.name(), text)))
			.satisfies((failure) -> assertThat(explanation(failure, text)).contains(property.name())
				.contains("'" + text + "'")
				.contains(AllowedValues.of(property.name())));
	}

	@ParameterizedTest
	@MethodSource("valuesOutOfRange")
	void aValueOutOfRangeStopsTheStart(Property property, String text) {
		TestApplications.runner()
			.withPropertyValues(property.name() + "=" + text)
			.run((context) -> assertThat(explanation(context.getStartupFailure(), text)).contains(property.name())
				.contains("'" + text + "'")
				.contains(AllowedValues.of(property.name())));
	}

	@Test
	void theValuesThatEditorsOfferAreGood() {
		Map<String, List<String>> hints = Metadata.hints();
		assertThat(properties().map(Property::name)).containsAll(hints.keySet());
		properties().filter((property) -> hints.containsKey(property.name()))
			.forEach((property) -> assertThat(hints.get(property.name())).as(property.name())
				.isNotEmpty()
				.allSatisfy((text) -> assertThat(value(property, Map.of(property.name(), text))).isNotNull()));
		properties().filter((property) -> hints.containsKey(property.name()) && !property.type().startsWith("java."))
			.forEach((property) -> assertThat(hints.get(property.name())).as(property.name())
				.hasSameSizeAs(constants(property).toList()));
	}

	@Test
	void everyPropertySaysItsUnit() {
		assertThat(Metadata.properties()).filteredOn((property) -> property.type().equals("java.time.Duration"))
			.allSatisfy((property) -> assertThat(property.description().replace('\n', ' '))
				.contains("A number without a unit is seconds."));
		assertThat(Metadata.properties())
			.filteredOn((property) -> property.type().equals("org.springframework.util.unit.DataSize"))
			.allSatisfy((property) -> assertThat(property.description().replace('\n', ' '))
				.contains("A number without a unit is bytes."));
	}

	static Stream<Property> properties() {
		return Metadata.properties().stream();
	}

	static Stream<Arguments> goodValues() {
		return properties().flatMap((property) -> switch (property.type()) {
			case "java.lang.Boolean" -> rows(property, Map.of("true", true, "FALSE", false, "on", true, "no", false));
			case "java.lang.Integer" -> rows(property, Map.of("7", 7, " 8 ", 8, "0x10", 16));
			case "java.lang.String" -> rows(property, Map.of("127.0.0.1", "127.0.0.1"));
			case "java.time.Duration" -> rows(property,
					Map.of("5", Duration.ofSeconds(5), "5s", Duration.ofSeconds(5), "PT5S", Duration.ofSeconds(5), "2m",
							Duration.ofMinutes(2), "250ms", Duration.ofMillis(250), "-1", Duration.ofSeconds(-1)));
			case "org.springframework.util.unit.DataSize" ->
				rows(property, Map.of("4MB", DataSize.ofBytes(4194304), "4194304", DataSize.ofBytes(4194304), "64KB",
						DataSize.ofBytes(65536), "3GB", DataSize.ofGigabytes(3), "-1", DataSize.ofBytes(-1)));
			default -> constants(property).flatMap((constant) -> spellings(constant.name())
				.map((spelling) -> Arguments.of(property, spelling, constant)));
		});
	}

	static Stream<Arguments> malformedValues() {
		return properties().flatMap((property) -> (switch (property.type()) {
			case "java.lang.Boolean" -> Stream.of("maybe", "2");
			case "java.lang.Integer" -> Stream.of("many", "1.5", "99999999999");
			case "java.lang.String" -> Stream.<String>of();
			case "java.time.Duration" -> Stream.of("soon", "5 apples", "1.5s");
			case "org.springframework.util.unit.DataSize" -> Stream.of("big", "4 apples", "1.5MB");
			default -> constants(property).limit(1).map((constant) -> "no such " + constant.name());
		}).map((text) -> Arguments.of(property, text)));
	}

	static Stream<Arguments> valuesOutOfRange() {
		return properties().flatMap((property) -> {
			String allowed = Objects.requireNonNull(AllowedValues.of(property.name()), property.name());
			return (switch (property.type()) {
				case "java.lang.Integer" -> Stream.of("-1");
				case "java.lang.String" -> {
					assertThat(WRONG_TEXTS).as("a text that is wrong").containsKey(property.key());
					yield WRONG_TEXTS.get(property.key()).stream();
				}
				case "java.time.Duration" -> allowed.contains("negative") ? Stream.<String>of() : Stream.of("-1");
				case "org.springframework.util.unit.DataSize" ->
					allowed.contains("2147483647B") ? Stream.of("-1", "3GB") : Stream.of("-1");
				default -> Stream.<String>of();
			}).map((text) -> Arguments.of(property, text));
		});
	}

	private static Stream<Arguments> rows(Property property, Map<String, ?> values) {
		return values.entrySet().stream().map((value) -> Arguments.of(property, value.getKey(), value.getValue()));
	}

	private static Stream<? extends Enum<?>> constants(Property property) {
		if (property.type().startsWith("java.util.")) {
			assertThat(COLLECTIONS).as("maps and lists that have tests of their own").contains(property.key());
			return Stream.of();
		}
		Class<?> type = ClassUtils.resolveClassName(property.type(), null);
		assertThat(type).as(property.name() + " is of a type that has no values here").matches(Class::isEnum);
		return Arrays.stream(type.getEnumConstants()).map((constant) -> (Enum<?>) constant);
	}

	private static Stream<String> spellings(String constant) {
		String kebab = constant.toLowerCase(Locale.ROOT).replace('_', '-');
		return Stream
			.of(constant, constant.toLowerCase(Locale.ROOT), kebab, kebab.toUpperCase(Locale.ROOT),
					kebab.replace("-", ""), camelCase(kebab))
			.distinct();
	}

	private static String camelCase(String kebab) {
		List<String> words = new ArrayList<>(List.of(kebab.split("-")));
		words.replaceAll(StringUtils::capitalize);
		return StringUtils.uncapitalize(String.join("", words));
	}

	/** Binds the class that has the property and reads it. */
	private static @Nullable Object value(Property property, Map<String, String> values) {
		Class<?> type = root(property);
		String prefix = type.getAnnotation(ConfigurationProperties.class).value();
		Object bound = new Binder(List.of(new MapConfigurationPropertySource(values)), null,
				ApplicationConversionService.getSharedInstance())
			.bindOrCreate(prefix, Bindable.of(type));
		return new BeanWrapperImpl(bound).getPropertyValue(camelCase(property.name().substring(prefix.length() + 1)));
	}

	private static Class<?> root(Property property) {
		return Metadata.roots()
			.entrySet()
			.stream()
			.filter((root) -> property.name().startsWith(root.getKey() + "."))
			.max((one, other) -> one.getKey().length() - other.getKey().length())
			.map((root) -> ClassUtils.resolveClassName(root.getValue(), null))
			.orElseThrow();
	}

	/** What the user reads. */
	private static String explanation(@Nullable Throwable failure, String text) {
		for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
			if (cause instanceof InvalidConfigurationPropertyValueException invalid) {
				// Spring Boot's own analysis, which takes the value from where it was
				// written
				return "%s '%s' %s".formatted(invalid.getName(), text, invalid.getReason());
			}
			if (cause instanceof BindException) {
				FailureAnalysis analysis = new GrpcServerPropertyFailureAnalyzer().analyze(cause);
				return (analysis != null) ? analysis.getDescription() + analysis.getAction() : cause.toString();
			}
		}
		return "no failure that is explained: " + failure;
	}

}
