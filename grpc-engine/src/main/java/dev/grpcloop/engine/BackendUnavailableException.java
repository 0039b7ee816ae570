package dev.grpcloop.engine;

/**
 * The backend that was asked for cannot be used on this machine. The cause says why.
 */
public class BackendUnavailableException extends IllegalStateException {

	private static final long serialVersionUID = 1L;

	private final Backend backend;

	BackendUnavailableException(Backend backend, String message, Throwable cause) {
		super(message, cause);
		this.backend = backend;
	}

	/**
	 * Returns the backend that was asked for.
	 * @return the backend, never {@link Backend#AUTO}
	 */
	public Backend getBackend() {
		return this.backend;
	}

}
