package dev.grpcloop.interop;

import java.io.DataInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import java.util.zip.GZIPInputStream;

import javax.xml.parsers.DocumentBuilderFactory;
import javax.xml.parsers.ParserConfigurationException;

import org.jspecify.annotations.Nullable;
import org.w3c.dom.Element;
import org.w3c.dom.NodeList;
import org.xml.sax.SAXException;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

/**
 * The conformance test of HTTP/2 and HPACK, a program that stands in the jar of a Maven
 * plugin.
 */
final class H2spec {

	private static final String ARCHIVE = "/h2spec/2.2.0/h2spec_%s_amd64.tar.gz";

	/** How long a case waits for what must not come, or for what is late. */
	private static final int CASE_TIMEOUT_SECONDS = 1;

	private static final int TIMEOUT_SECONDS = 180;

	private static final int TAR_BLOCK = 512;

	private final Path directory;

	private final Path program;

	/**
	 * Unpacks the program, or aborts the test if there is none for this platform.
	 */
	H2spec(Path directory) throws IOException {
		String system = System.getProperty("os.name").toLowerCase(Locale.ROOT);
		String machine = System.getProperty("os.arch");
		assumeTrue(machine.equals("amd64") || machine.equals("x86_64"), "there is no h2spec for " + machine);
		assumeTrue(system.equals("linux") || system.startsWith("mac"), "there is no h2spec to be run on " + system);
		this.directory = directory;
		this.program = directory.resolve("h2spec");
		unpack(ARCHIVE.formatted(system.equals("linux") ? "linux" : "darwin"));
	}

	/**
	 * The archive has one file.
	 */
	private void unpack(String archive) throws IOException {
		InputStream resource = H2spec.class.getResourceAsStream(archive);
		assertThat(resource).as(archive).isNotNull();
		try (DataInputStream tar = new DataInputStream(new GZIPInputStream(resource))) {
			byte[] header = new byte[TAR_BLOCK];
			tar.readFully(header);
			assertThat(new String(header, 0, 7, StandardCharsets.US_ASCII)).isEqualTo("h2spec\0");
			int size = Integer.parseInt(new String(header, 124, 11, StandardCharsets.US_ASCII), 8);
			byte[] content = new byte[size];
			tar.readFully(content);
			Files.write(this.program, content);
		}
		assertThat(this.program.toFile().setExecutable(true)).isTrue();
	}

	/**
	 * Runs all cases, the strict ones too, against a port of the loopback address.
	 */
	List<Case> run(int port) throws IOException, InterruptedException {
		Path report = this.directory.resolve("report-" + port + ".xml");
		Path output = this.directory.resolve("output-" + port);
		Process process = new ProcessBuilder(this.program.toString(), "--host", "127.0.0.1", "--port",
				String.valueOf(port), "--strict", "--timeout", String.valueOf(CASE_TIMEOUT_SECONDS), "--junit-report",
				report.toString())
			.redirectErrorStream(true)
			.redirectOutput(output.toFile())
			.start();
		try {
			assertThat(process.waitFor(TIMEOUT_SECONDS, TimeUnit.SECONDS)).as(() -> "h2spec ends: " + read(output))
				.isTrue();
		}
		finally {
			process.destroyForcibly().waitFor();
		}
		assertThat(report).as(() -> "the report of h2spec, which printed " + read(output)).exists();
		return cases(report);
	}

	private static String read(Path file) {
		try {
			return Files.readString(file);
		}
		catch (IOException ex) {
			return ex.toString();
		}
	}

	private static List<Case> cases(Path report) throws IOException {
		NodeList elements;
		try {
			elements = DocumentBuilderFactory.newInstance()
				.newDocumentBuilder()
				.parse(report.toFile())
				.getElementsByTagName("testcase");
		}
		catch (ParserConfigurationException | SAXException ex) {
			throw new IOException(ex);
		}
		List<Case> cases = new ArrayList<>();
		for (int i = 0; i < elements.getLength(); i++) {
			Element element = (Element) elements.item(i);
			cases.add(new Case(element.getAttribute("package"), element.getAttribute("classname"), fault(element)));
		}
		return cases;
	}

	private static @Nullable String fault(Element testCase) {
		for (String outcome : List.of("failure", "error", "skipped")) {
			NodeList elements = testCase.getElementsByTagName(outcome);
			if (elements.getLength() > 0) {
				return outcome + ": " + elements.item(0).getTextContent().strip();
			}
		}
		return null;
	}

	/**
	 * One case and how it ended.
	 *
	 * @param section for example {@code http2/5.1}
	 * @param description what it does and what the server has to do then
	 * @param fault what was expected and what came, or that it was skipped; {@code null}
	 * if the case has passed
	 */
	record Case(String section, String description, @Nullable String fault) {

		void verify() {
			if (this.fault != null) {
				fail("Any of these was expected but the last, which came:%n%s", this.fault);
			}
		}

	}

}
