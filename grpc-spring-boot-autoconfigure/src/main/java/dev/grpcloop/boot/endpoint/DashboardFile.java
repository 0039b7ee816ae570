package dev.grpcloop.boot.endpoint;

import java.nio.charset.StandardCharsets;

import org.jspecify.annotations.Nullable;

import org.springframework.boot.actuate.endpoint.web.WebEndpointResponse;
import org.springframework.core.io.ClassPathResource;
import org.springframework.core.io.Resource;
import org.springframework.util.MimeType;

/**
 * The files of the page that shows what the {@link GrpcEndpoint} tells. They are found by
 * their names alone: no name leads anywhere else.
 */
enum DashboardFile {

	/** The page, which is what somebody opens. */
	PAGE("dashboard", "dashboard.html", "html"),

	/** Its style. */
	STYLE("dashboard.css", "css"),

	/** Its script, which loads the others: the page allows none within itself. */
	SCRIPT("dashboard.js", "javascript"),

	/** What stands beside and below the charts. */
	CARDS("dashboard-cards.js", "javascript"),

	/** A chart. */
	CHART("dashboard-chart.js", "javascript"),

	/** Makes and changes elements of the page. */
	ELEMENTS("dashboard-elements.js", "javascript"),

	/** Calculates. */
	FIGURES("dashboard-figures.js", "javascript"),

	/** What the page knows. */
	MEMORY("dashboard-memory.js", "javascript"),

	/** The table of methods. */
	METHODS("dashboard-methods.js", "javascript"),

	/** What the charts show. */
	SERIES("dashboard-series.js", "javascript"),

	/** Numbers, times and names in words. */
	WORDS("dashboard-words.js", "javascript");

	private final String name;

	private final Resource resource;

	private final MimeType type;

	DashboardFile(String name, String subtype) {
		this(name, name, subtype);
	}

	DashboardFile(String name, String file, String subtype) {
		this.name = name;
		this.resource = new ClassPathResource(file, DashboardFile.class);
		this.type = new MimeType("text", subtype, StandardCharsets.UTF_8);
	}

	/**
	 * Finds a file.
	 * @param name its name in the URL
	 * @return the file, or {@code null} if there is none of that name
	 */
	static @Nullable WebEndpointResponse<Resource> find(String name) {
		for (DashboardFile file : values()) {
			if (file.name.equals(name)) {
				return new WebEndpointResponse<>(file.resource, WebEndpointResponse.STATUS_OK, file.type);
			}
		}
		return null;
	}

}
