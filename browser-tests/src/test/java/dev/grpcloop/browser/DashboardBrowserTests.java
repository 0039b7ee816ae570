package dev.grpcloop.browser;

import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.IntStream;

import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.assertions.PlaywrightAssertions;
import com.microsoft.playwright.options.AriaRole;
import com.microsoft.playwright.options.ColorScheme;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * The dashboard and the page with the switch for load, as people see them.
 */
@Timeout(120)
class DashboardBrowserTests {

	private static final String DASHBOARD = "/actuator/grpc/dashboard";

	private static final int PHONE = 360;

	private static SampleProcess sample;

	private static SampleProcess elsewhere;

	private static Chromium chromium;

	@BeforeAll
	static void start() throws Exception {
		sample = new SampleProcess();
		chromium = new Chromium();
		// one after the other: together they would both be slow
		sample.url();
		elsewhere = new SampleProcess("--management.server.port=0", "--management.endpoints.web.base-path=/manage",
				"--management.endpoints.web.path-mapping.grpc=tools/rpc", "--server.servlet.context-path=/shop");
		PlaywrightAssertions.setDefaultAssertionTimeout(30_000);
	}

	@AfterAll
	static void stop() throws Exception {
		chromium.close();
		sample.close();
		elsewhere.close();
	}

	@Test
	void everyFigureMovesUnderLoadAndIsRight() throws Exception {
		try (Tab tab = tab(sample.url(), ColorScheme.LIGHT, 1280)) {
			tab.page().navigate(sample.url() + "/");
			assertThat(tab.find("pre")).not().containsText(":9090/");
			Locator load = tab.page().getByRole(AriaRole.SWITCH);
			load.click();
			assertThat(load).hasAttribute("aria-checked", "true");
			tab.page().getByRole(AriaRole.LINK, new Page.GetByRoleOptions().setName("Open the dashboard")).click();
			assertThat(tab.find("#rate-figure")).hasText(Pattern.compile("[1-9][0-9,.]* /s"));
			assertThat(tab.find("#latency-figure")).hasText(Pattern.compile("p99 [0-9.]+ (µs|ms|s)"));
			assertThat(tab.find("#errors-figure")).hasText(Pattern.compile("[0-9.]+ % of calls"));
			assertThat(tab.find("#connections-figure")).hasText(Pattern.compile("[3-9] open"));
			assertThat(tab.find("#traffic-figure")).hasText(Pattern.compile("[1-9][0-9,.]* KB /s"));
			for (String words : List.of("INVALID_ARGUMENT", "CANCELLED", "UNIMPLEMENTED")) {
				assertThat(tab.find("#statuses")).containsText(words);
			}
			for (String chart : List.of("rate", "latency", "errors", "connections", "loops", "traffic")) {
				assertThat(tab.find("#" + chart + "-chart path.series").first()).hasAttribute("d",
						Pattern.compile("M.*L.*"));
			}
			assertThat(tab.find("#methods-rows tr").first()).containsText("Hello");
			assertThat(tab.find("#facts")).containsText("Backend");
			tab.picture("dashboard-light");
			try (Tab phone = tab(sample.url(), ColorScheme.DARK, PHONE)) {
				phone.page().navigate(sample.url() + DASHBOARD);
				assertThat(phone.find("#latency-figure")).hasText(Pattern.compile("p99.*s"));
				phone.assertFitsItsWidth();
				phone.picture("dashboard-phone");
				phone.page().navigate(sample.url() + "/");
				assertThat(phone.page().getByRole(AriaRole.SWITCH)).hasAttribute("aria-checked", "true");
				phone.assertFitsItsWidth();
				phone.page().getByRole(AriaRole.SWITCH).click();
				assertThat(phone.find("#load-state")).hasText("No load");
				phone.assertNoFaults();
			}
			assertSameCounts(tab, "Hello");
			assertSameCounts(tab, "HelloRepeatedly");
			tab.assertNoFaults();
		}
	}

	private static void assertSameCounts(Tab tab, String method) throws Exception {
		String answer = sample.get("/actuator/metrics/grpc.server?tag=rpc.method:" + method);
		String count = answer.replaceFirst(".*\"COUNT\",\"value\":([0-9]+)\\.0.*", "$1");
		String shown = "%,d".formatted(Long.valueOf(count));
		Locator row = tab.find("#methods-rows tr")
			.filter(new Locator.FilterOptions().setHas(
					tab.page().getByRole(AriaRole.BUTTON, new Page.GetByRoleOptions().setName(method).setExact(true))));
		assertThat(row.locator("td").last()).hasText(shown);
	}

	@Test
	void percentilesSharesAndCountsAreThoseOfTheDifferences() throws Exception {
		try (Tab tab = tab(sample.url(), ColorScheme.DARK, 1280)) {
			DoctoredReport.answer(tab.page(), (question) -> DoctoredReport.report("running", question, "One", "Two"));
			tab.page().navigate(sample.url() + DASHBOARD);
			assertThat(tab.find("#latency-figure")).hasText("p99 500 ms");
			assertThat(tab.find("#latency-chart .legend")).hasText("p501.0 msp901.0 msp99500 ms");
			assertThat(tab.find("#errors-figure")).hasText("25 % of calls");
			assertThat(tab.find("#loops-figure")).hasText("30 % busy");
			assertThat(tab.find("#connections-figure")).hasText("7 open");
			assertThat(tab.find("#troubles")).containsText("Guard foreign-protocol");
			assertThat(tab.find("#troubles")).not().containsText("rapid-reset");
			assertThat(tab.find("#limits")).containsText("grpc.server.guard.resets");
			tab.picture("dashboard-dark");
			tab.page().evaluate("() => { const now = Date.now; Date.now = () => now() + 3600000; }");
			assertThat(tab.find("#rate-chart rect.break")).hasCount(1);
			assertThat(tab.find("#latency-figure")).hasText("p99 500 ms");
			tab.assertNoFaults();
		}
	}

	@Test
	void namesAreTextWhateverTheyAre() throws Exception {
		String name = "<img src=x onerror=alert(1)>";
		try (Tab tab = tab(sample.url(), ColorScheme.LIGHT, PHONE)) {
			DoctoredReport.answer(tab.page(),
					(question) -> DoctoredReport.report("running", question, name, "__proto__", "</script><b>x"));
			tab.page().navigate(sample.url() + DASHBOARD);
			assertThat(tab.find("#methods-rows tr")).hasCount(3);
			assertThat(tab.find("#rate-chart .legend")).containsText(name);
			tab.page().getByRole(AriaRole.BUTTON, new Page.GetByRoleOptions().setName(name)).click();
			assertThat(tab.find("#selection-title")).hasText("test.v1.Service/" + name);
			assertThat(tab.find("img, b:has-text('x')")).hasCount(0);
			tab.assertFitsItsWidth();
			tab.assertNoFaults();
		}
	}

	@Test
	void canBeUsedWithTheKeyboard() throws Exception {
		try (Tab tab = tab(sample.url(), ColorScheme.LIGHT, 1280)) {
			DoctoredReport.answer(tab.page(), (question) -> DoctoredReport.report("running", question, "One", "Two"));
			tab.page().navigate(sample.url() + DASHBOARD);
			assertThat(tab.find("#methods-rows tr")).hasCount(2);
			Locator column = tab.find("#methods-head button").filter(new Locator.FilterOptions().setHasText("Method"));
			column.focus();
			tab.page().keyboard().press("Enter");
			assertThat(tab.find("#methods-head th").first()).hasAttribute("aria-sort", "ascending");
			tab.page().keyboard().press("Enter");
			assertThat(tab.find("#methods-head th").first()).hasAttribute("aria-sort", "descending");
			assertThat(tab.find("#methods-rows tr").first()).containsText("Two");
			tab.find("#methods-rows button").first().focus();
			tab.page().keyboard().press("Space");
			assertThat(tab.find("#selection-title")).hasText("test.v1.Service/Two");
			tab.find("#rate-chart svg.chart").focus();
			tab.page().keyboard().press("ArrowLeft");
			assertThat(tab.find("#latency-chart line.cursor")).hasCount(1);
			tab.page().keyboard().press("Escape");
			assertThat(tab.find("#latency-chart line.cursor")).hasCount(0);
			tab.find("#pause").focus();
			tab.page().keyboard().press("Enter");
			assertThat(tab.find("#pulse")).hasText("Paused");
			tab.assertNoFaults();
		}
	}

	@Test
	void threeHundredMethodsCanBeSearched() throws Exception {
		String[] methods = IntStream.range(0, 300)
			.mapToObj((index) -> "CalculateReplenishmentOfRegionAndWarehouse" + index)
			.toArray(String[]::new);
		try (Tab tab = tab(sample.url(), ColorScheme.LIGHT, PHONE)) {
			DoctoredReport.answer(tab.page(), (question) -> DoctoredReport.report("running", question, methods));
			tab.page().navigate(sample.url() + DASHBOARD);
			assertThat(tab.find("#methods-rows tr")).hasCount(300);
			tab.assertFitsItsWidth();
			tab.find("#filter").fill("house29");
			assertThat(tab.find("#methods-rows tr")).hasCount(11);
			assertThat(tab.find("#filter-count")).hasText("11 of 300 methods");
			tab.assertNoFaults();
		}
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|', textBlock = """
			draining | The server drains
			stopped | The gRPC server is stopped
			again | The server was restarted
			uncounted | grpc.server.metrics.enabled is false
			html | Something answers, but not this endpoint
			""")
	void saysWhatIsTheMatter(String matter, String words) throws Exception {
		try (Tab tab = tab(sample.url(), ColorScheme.LIGHT, 1280)) {
			DoctoredReport.answer(tab.page(), (question) -> switch (matter) {
				// counters fall at the third question
				case "again" -> DoctoredReport.report("running", (question < 3) ? 10 + question : question, "One");
				case "uncounted" -> "{ \"server\": { \"state\": \"running\" }, \"services\": [], "
						+ "\"uncounted\": \"grpc.server.metrics.enabled is false: nothing is counted.\" }";
				case "html" -> "<html>please log in</html>";
				default -> DoctoredReport.report(matter, question, "One");
			});
			tab.page().navigate(sample.url() + DASHBOARD);
			assertThat(tab.find("#notices")).containsText(words);
			if (matter.equals("again")) {
				assertThat(tab.find("#rate-figure")).hasText(Pattern.compile("[1-9][0-9,.]* /s"));
			}
			tab.assertNoFaults();
		}
	}

	@Test
	void saysThatNobodyHasCalledAndThatTheServerIsGone() throws Exception {
		try (Tab tab = tab(elsewhere.url(), ColorScheme.LIGHT, 1280)) {
			tab.page().navigate(elsewhere.url() + "/manage/tools/rpc/dashboard");
			assertThat(tab.find("#notices")).containsText("No call has come yet");
			assertThat(tab.find("#state")).hasText("running");
			assertThat(tab.find("#rate-figure")).hasText("0 /s");
			assertThat(tab.find("#source")).hasAttribute("href", elsewhere.url() + "/manage/tools/rpc");
			tab.assertNoFaults();
			elsewhere.close();
			assertThat(tab.find("#state")).hasText("unreachable");
			assertThat(tab.find("#notices")).containsText("cannot be reached");
			assertThat(tab.find("#notices")).containsText("What you see is what it said last");
			tab.picture("dashboard-gone");
		}
	}

	@Test
	void calculatesAsItShould() throws Exception {
		try (Tab tab = tab(sample.url(), ColorScheme.LIGHT, 1280)) {
			tab.page().navigate(sample.url() + DASHBOARD);
			Map<String, Object> expected = Map.ofEntries(Map.entry("percentile(new Map([[1, 99], [2, 1]]), 0.99)", 1),
					Map.entry("percentile(new Map([[2, 2], [1, 98]]), 0.99)", 2),
					Map.entry("percentile(new Map([[1, 1]]), 0.5)", 1),
					Map.entry("percentile(new Map(), 0.5) === null", true),
					Map.entry("[...addedCalls([[1, 5], [2, 7]], [[1, 5], [2, 4]])].join(';')", "2,3"),
					Map.entry("[...growths({ a: 3, b: 2 }, { a: 1, b: 2 })].join(';')", "a,2"),
					Map.entry("niceCeiling(0.3)", 0.5), Map.entry("niceCeiling(1001)", 2000),
					Map.entry("niceCeiling(0)", 1), Map.entry("linearScale([], 1).ticks.join()", "0,0.5,1"),
					Map.entry("byteScale([3000]).ticks[2]", 5 * 1024),
					Map.entry("logarithmicScale([0.001, 0.1]).place(0.01)", 0.5),
					Map.entry("busyShare({ busyTime: 3, waitedTime: 7, busyShare: 0 }, { busyTime: 1, waitedTime: 1 })",
							0.25),
					Map.entry("busyShare({ busyTime: 0, waitedTime: 0 }, undefined) === null", true),
					Map.entry("formatTime(0.0123) + formatTime(0.000001) + formatTime(90)", "12.3 ms1.0 µs1.5 min"),
					Map.entry("formatCount(1234) + ' ' + formatCount(0.25) + ' ' + formatCount(12345678)",
							"1,234 0.3 12.3 M"),
					Map.entry("formatBytes(1536) + formatShare(0.034) + formatShare(0.0004) + formatShare(1)",
							"1.5 KB3.4 %< 0.1 %100 %"),
					Map.entry("breakable('a.v1.GreeterV2/SayHello').join()", "a.,v1.,Greeter,V2/,Say,Hello"));
			expected.forEach((expression, value) -> assertThat(tab.page()
				.evaluate(
						"Promise.all(['figures', 'words'].map((name) => import(`${location.href}-${name}.js`))).then((parts) => { "
								+ "const { percentile, addedCalls, growths, niceCeiling, linearScale, byteScale, "
								+ "logarithmicScale, busyShare, formatTime, formatCount, formatBytes, formatShare, "
								+ "breakable } = Object.assign({}, ...parts); return (" + expression + "); })"))
				.as(expression)
				.hasToString(value.toString()));
		}
	}

	private static Tab tab(String url, ColorScheme scheme, int width) {
		return new Tab(chromium.browser(), url, scheme, width, 900);
	}

}
