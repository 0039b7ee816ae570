package dev.grpcloop.browser;

import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

import com.microsoft.playwright.Browser;
import com.microsoft.playwright.BrowserType;
import com.microsoft.playwright.Playwright;

/**
 * The Chromium that is installed, without a window and without a network of its own.
 */
final class Chromium implements AutoCloseable {

	private static final List<String> ARGUMENTS = List.of("--headless", "--no-sandbox", "--disable-gpu",
			"--disable-quic", "--no-first-run", "--disable-background-networking", "--disable-component-update",
			"--disable-sync");

	private final Playwright playwright;

	private final Browser browser;

	Chromium() {
		this.playwright = Playwright
			.create(new Playwright.CreateOptions().setEnv(Map.of("PLAYWRIGHT_SKIP_BROWSER_DOWNLOAD", "1")));
		this.browser = this.playwright.chromium()
			.launch(new BrowserType.LaunchOptions().setExecutablePath(executable()).setArgs(ARGUMENTS));
	}

	private static Path executable() {
		return Stream.of(System.getenv("PATH").split(File.pathSeparator))
			.map((folder) -> Path.of(folder, "chromium"))
			.filter(Files::isExecutable)
			.findFirst()
			.orElseThrow(() -> new IllegalStateException(
					"There is no chromium on the PATH; on Debian, apt-get install chromium brings it"));
	}

	Browser browser() {
		return this.browser;
	}

	@Override
	public void close() {
		this.playwright.close();
	}

}
