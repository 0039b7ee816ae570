package dev.grpcloop.browser;

import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

import com.microsoft.playwright.Browser;
import com.microsoft.playwright.BrowserContext;
import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.options.ColorScheme;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * A tab that notes what a good page does not do: errors, violations of its policy,
 * requests to others.
 */
final class Tab implements AutoCloseable {

	private static final int TIMEOUT_MILLIS = 30_000;

	private final List<String> faults = new CopyOnWriteArrayList<>();

	private final BrowserContext context;

	private final Page page;

	Tab(Browser browser, String url, ColorScheme scheme, int width, int height) {
		this.context = browser
			.newContext(new Browser.NewContextOptions().setViewportSize(width, height).setColorScheme(scheme));
		this.context.setDefaultTimeout(TIMEOUT_MILLIS);
		this.page = this.context.newPage();
		this.page.onConsoleMessage((message) -> {
			if (message.type().equals("error") || message.type().equals("warning")) {
				this.faults.add("console: " + message.text());
			}
		});
		this.page.onPageError((error) -> this.faults.add("script: " + error));
		this.page.onDialog((dialog) -> {
			this.faults.add("dialog: " + dialog.message());
			dialog.dismiss();
		});
		this.page.onRequest((request) -> {
			if (!request.url().startsWith(url) && !request.url().startsWith("data:")) {
				this.faults.add("request to " + request.url());
			}
		});
		this.page.addInitScript("addEventListener('securitypolicyviolation', (event) => "
				+ "console.error('policy: ' + event.violatedDirective + ' ' + event.blockedURI))");
	}

	Page page() {
		return this.page;
	}

	Locator find(String selector) {
		return this.page.locator(selector);
	}

	/** Keeps a picture of the whole page among what the build made. */
	void picture(String name) {
		this.page.screenshot(new Page.ScreenshotOptions().setFullPage(true)
			.setPath(Path.of("target", "screenshots", name + ".png")));
	}

	void assertFitsItsWidth() {
		assertThat(this.page.evaluate("document.documentElement.scrollWidth - innerWidth")).isEqualTo(0);
	}

	void assertNoFaults() {
		assertThat(this.faults).isEmpty();
	}

	@Override
	public void close() {
		this.context.close();
	}

}
