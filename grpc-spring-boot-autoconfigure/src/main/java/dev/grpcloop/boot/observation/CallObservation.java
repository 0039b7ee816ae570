package dev.grpcloop.boot.observation;

import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;

/**
 * Decides who records the calls: exactly one, the interceptor or the engine. The answer
 * is looked up when it is first asked for, among definitions rather than beans, so that
 * it does not depend on what is made already.
 */
public final class CallObservation {

	private static final Log logger = LogFactory.getLog(CallObservation.class);

	private final ObservationRecorder recorder;

	private final Class<?> server;

	private final ConfigurableListableBeanFactory beanFactory;

	private volatile @Nullable Boolean intercepted;

	/**
	 * A decision that is to be made.
	 * @param recorder who is to record the calls
	 * @param server the type of the bean without which there is no engine to record them
	 * @param beanFactory what the application has
	 */
	public CallObservation(ObservationRecorder recorder, Class<?> server, ConfigurableListableBeanFactory beanFactory) {
		this.recorder = recorder;
		this.server = server;
		this.beanFactory = beanFactory;
	}

	/**
	 * Says whether the interceptor makes an observation of each call.
	 * @return {@code false} where the engine counts calls
	 */
	public boolean isIntercepted() {
		Boolean known = this.intercepted;
		if (known == null) {
			known = decide();
			this.intercepted = known;
		}
		return known;
	}

	private boolean decide() {
		if (this.recorder != ObservationRecorder.AUTO) {
			return this.recorder == ObservationRecorder.INTERCEPTOR;
		}
		String reason = (this.beanFactory.getBeanNamesForType(this.server, true, false).length == 0)
				? "a server that has no engine" : new ObservationReasons(this.beanFactory).first();
		if (logger.isDebugEnabled()) {
			logger.debug((reason != null) ? "An interceptor observes gRPC calls because of " + reason
					: "The engine records gRPC calls, the observation interceptor is left out: "
							+ "nothing in the application would hear more of it than the meters");
		}
		return reason != null;
	}

}
