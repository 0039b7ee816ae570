package dev.grpcloop.boot.controller;

import java.util.concurrent.CompletionStage;

import org.jspecify.annotations.Nullable;

/**
 * The response that a stage completes with.
 */
final class StageResponse implements Responding {

	private final CompletionStage<?> stage;

	private StageResponse(CompletionStage<?> stage) {
		this.stage = stage;
	}

	/**
	 * Sends the response when it is there.
	 * @param stage the stage
	 * @param responses where to send it
	 * @return what cancels the stage
	 */
	static Responding of(CompletionStage<?> stage, CallResponses<?> responses) {
		stage.whenComplete((response, failure) -> completed(response, failure, responses));
		return new StageResponse(stage);
	}

	private static void completed(@Nullable Object response, @Nullable Throwable failure, CallResponses<?> responses) {
		if (failure != null) {
			responses.fail(failure);
			return;
		}
		try {
			responses.sendOnly(response);
		}
		catch (RuntimeException ex) {
			responses.fail(ex);
		}
	}

	@Override
	public void cancel() {
		try {
			this.stage.toCompletableFuture().cancel(true);
		}
		catch (UnsupportedOperationException ex) {
			// a stage may be one that cannot be cancelled
		}
	}

}
