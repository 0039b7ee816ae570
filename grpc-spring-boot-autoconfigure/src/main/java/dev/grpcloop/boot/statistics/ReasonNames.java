package dev.grpcloop.boot.statistics;

import java.util.Locale;

/**
 * How reasons are written wherever numbers by reasons are shown.
 */
public final class ReasonNames {

	private ReasonNames() {
	}

	/**
	 * Returns the name of a reason.
	 * @param reason the reason
	 * @return its constant in lower case, with hyphens
	 */
	public static String of(Enum<?> reason) {
		return reason.name().toLowerCase(Locale.ROOT).replace('_', '-');
	}

}
