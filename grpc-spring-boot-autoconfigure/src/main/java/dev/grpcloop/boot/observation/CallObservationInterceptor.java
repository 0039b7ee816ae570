package dev.grpcloop.boot.observation;

import io.grpc.Metadata;
import io.grpc.ServerCall;
import io.grpc.ServerCallHandler;
import io.micrometer.core.instrument.binder.grpc.DefaultGrpcServerObservationConvention;
import io.micrometer.core.instrument.binder.grpc.GrpcObservationDocumentation;
import io.micrometer.core.instrument.binder.grpc.GrpcServerObservationConvention;
import io.micrometer.core.instrument.binder.grpc.ObservationGrpcServerInterceptor;
import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationRegistry;
import org.jspecify.annotations.Nullable;

/**
 * Makes an observation of each call, if it is the one that records them. It has the names
 * and the events of Micrometer's interceptor, whose place it takes, and the status with
 * which the call ends for the client.
 */
public final class CallObservationInterceptor extends ObservationGrpcServerInterceptor {

	private static final GrpcServerObservationConvention DEFAULT_CONVENTION = new DefaultGrpcServerObservationConvention();

	private final ObservationRegistry registry;

	private final CallObservation observation;

	private volatile @Nullable GrpcServerObservationConvention convention;

	/**
	 * An interceptor.
	 * @param registry where the observations are
	 * @param observation says whether there are any
	 */
	public CallObservationInterceptor(ObservationRegistry registry, CallObservation observation) {
		super(registry);
		this.registry = registry;
		this.observation = observation;
	}

	@Override
	public void setCustomConvention(@Nullable GrpcServerObservationConvention convention) {
		super.setCustomConvention(convention);
		this.convention = convention;
	}

	@Override
	public <Q, R> ServerCall.Listener<Q> interceptCall(ServerCall<Q, R> call, Metadata headers,
			ServerCallHandler<Q, R> next) {
		if (!this.observation.isIntercepted()) {
			return next.startCall(call, headers);
		}
		ObservedStream stream = ObservedStream.current();
		if (stream == null) {
			return super.interceptCall(call, headers, next);
		}
		Observation observation = GrpcObservationDocumentation.SERVER
			.observation(this.convention, DEFAULT_CONVENTION, () -> ObservationContexts.of(call, headers),
					this.registry)
			.start();
		return observation.isNoop() ? next.startCall(call, headers)
				: start(new ObservedCall(observation, stream), call, headers, next);
	}

	@SuppressWarnings("try") // the scope is there to be closed
	private static <Q, R> ServerCall.Listener<Q> start(ObservedCall observed, ServerCall<Q, R> call, Metadata headers,
			ServerCallHandler<Q, R> next) {
		try (Observation.Scope scope = observed.observation().openScope()) {
			return new ObservedListener<>(next.startCall(new ObservedServerCall<>(call, observed), headers), observed);
		}
		catch (Throwable ex) {
			observed.startFailed(ex);
			throw ex;
		}
	}

}
