package dev.grpcloop.engine.http2;

import dev.grpcloop.engine.http2.StreamState.Event;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

/**
 * The transitions of a stream (RFC 9113 section 5.1), each of them.
 */
class StreamStateTests {

	@ParameterizedTest
	@CsvSource({ "OPEN, LOCAL_END, HALF_CLOSED_LOCAL", "OPEN, REMOTE_END, HALF_CLOSED_REMOTE", "OPEN, RESET, CLOSED",
			"HALF_CLOSED_LOCAL, REMOTE_END, CLOSED", "HALF_CLOSED_LOCAL, RESET, CLOSED",
			"HALF_CLOSED_REMOTE, LOCAL_END, CLOSED", "HALF_CLOSED_REMOTE, RESET, CLOSED", "CLOSED, RESET, CLOSED",
			"HALF_CLOSED_LOCAL, LOCAL_END,", "HALF_CLOSED_REMOTE, REMOTE_END,", "CLOSED, LOCAL_END,",
			"CLOSED, REMOTE_END," })
	void everyEventInEveryState(StreamState state, Event event, @Nullable StreamState next) {
		if (next != null) {
			assertThat(state.on(event)).isEqualTo(next);
		}
		else {
			assertThatIllegalStateException().isThrownBy(() -> state.on(event))
				.withMessage(event + " in state " + state);
		}
	}

	@ParameterizedTest
	@EnumSource
	void aSideMaySendUntilItHasEnded(StreamState state) {
		assertThat(state.localOpen()).isEqualTo(state == StreamState.OPEN || state == StreamState.HALF_CLOSED_REMOTE);
		assertThat(state.remoteOpen()).isEqualTo(state == StreamState.OPEN || state == StreamState.HALF_CLOSED_LOCAL);
	}

}
