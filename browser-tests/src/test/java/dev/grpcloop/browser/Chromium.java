package dev.grpcloop.browser;

import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
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
		Map<String, String> environment = new HashMap<>(Map.of("PLAYWRIGHT_SKIP_BROWSER_DOWNLOAD", "1"));
		// else Playwright unpacks its own, which takes a while
		find("node").ifPresent((node) -> environment.put("PLAYWRIGHT_NODEJS_PATH", node.toString()));
		this.playwright = Playwright.create(new Playwright.CreateOptions().setEnv(environment));
		Path chromium = find("chromium").orElseThrow(() -> new IllegalStateException(
				"There is no chromium on the PATH; on Debian, apt-get install chromium brings it"));
		this.browser = this.playwright.chromium()
			.launch(new BrowserType.LaunchOptions().setExecutablePath(chromium).setArgs(ARGUMENTS));
	}

	private static Optional<Path> find(String program) {
		return Stream.of(System.getenv("PATH").split(File.pathSeparator))
			.map((folder) -> Path.of(folder, program))
			.filter(Files::isExecutable)
			.findFirst();
	}

	Browser browser() {
		return this.browser;
	}

	@Override
	public void close() {
		this.playwright.close();
	}

}
