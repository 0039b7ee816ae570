package dev.grpcloop.boot.observation;

/**
 * Who writes the meters {@code grpc.server}.
 */
public enum ObservationRecorder {

	/**
	 * The interceptor where the application has something that hears of observations
	 * beside Spring Boot's meters, a tracer for example; else the engine, at a fraction
	 * of the cost.
	 */
	AUTO,

	/** An interceptor that makes an observation of each call. */
	INTERCEPTOR,

	/** The engine: there are meters and no observations, hence no spans. */
	ENGINE

}
