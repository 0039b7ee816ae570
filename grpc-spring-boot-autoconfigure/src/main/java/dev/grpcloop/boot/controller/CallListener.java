package dev.grpcloop.boot.controller;

import java.util.Iterator;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Flow;
import java.util.stream.Stream;

import io.grpc.Context;
import io.grpc.Contexts;
import io.grpc.Metadata;
import io.grpc.ServerCall;
import io.grpc.Status;
import org.jspecify.annotations.Nullable;

/**
 * A call of a method: calls it, and lets what it returns hear of the call.
 *
 * @param <Q> the type of the requests
 * @param <R> the type of the responses
 */
abstract class CallListener<Q, R> extends ServerCall.Listener<Q> {

	private static final Status OVER = Status.CANCELLED.withDescription("The call is over");

	private final BoundMethod method;

	private final @Nullable Metadata headers;

	private final CallResponses<R> responses;

	/** Set by the thread that runs the method. */
	private volatile @Nullable Responding responding;

	private volatile boolean over;

	CallListener(BoundMethod method, ServerCall<Q, R> call, Metadata headers) {
		MethodShape shape = method.shape();
		this.method = method;
		this.headers = shape.uses(ParameterKind.METADATA) ? headers : null;
		CallContext context = shape.uses(ParameterKind.CONTEXT) ? new CallContext(call, headers) : null;
		this.responses = (shape.responses() == ResponseKind.SINK) ? new SharedResponses<>(call, method, context)
				: new CallResponses<>(call, method, context);
	}

	final CallResponses<R> responses() {
		return this.responses;
	}

	final boolean isOver() {
		return this.over;
	}

	/**
	 * Calls the method and sends what it returns.
	 * @param requests what it takes
	 * @param runner where what it returns is worked on
	 */
	final void invoke(Object requests, @Nullable Runner runner) {
		CallSink<R> sink = (this.responses instanceof SharedResponses<R> shared) ? new CallSink<>(shared) : null;
		if (sink != null) {
			respondWith(sink);
		}
		Object result;
		try {
			result = this.method.invoker().invoke(requests, this.headers, this.responses.context(), sink);
		}
		catch (Throwable ex) {
			thrown(ex);
			return;
		}
		try {
			respond(result, sink, runner);
		}
		catch (Throwable ex) {
			this.responses.fail(ex);
		}
	}

	/**
	 * The method has thrown.
	 * @param failure what it has thrown
	 */
	void thrown(Throwable failure) {
		this.responses.fail(failure);
	}

	private void respond(@Nullable Object result, @Nullable CallSink<R> sink, @Nullable Runner runner) {
		ResponseKind kind = this.method.shape().responses();
		if (kind == ResponseKind.MESSAGE) {
			if (result == null) {
				this.responses.violation("has returned null");
				return;
			}
			this.responses.sendOnly(result);
		}
		else if (sink != null) {
			sink.methodReturned();
		}
		else if (result == null) {
			this.responses.violation("has returned null");
		}
		else {
			respondLater(kind, result, runner);
		}
	}

	private void respondLater(ResponseKind kind, Object result, @Nullable Runner runner) {
		switch (kind) {
			case STAGE -> respondWith(StageResponse.of((CompletionStage<?>) result, this.responses));
			case MONO -> respondWith(StageResponse.of(ReactorBridge.stage(result), this.responses));
			case PUBLISHER -> subscribe((Flow.Publisher<?>) result);
			case FLUX -> subscribe(ReactorBridge.publisher(result));
			case ITERATOR ->
				iterate(IteratedResponses.of((Iterator<?>) result, this.responses, runner(runner)), runner != null);
			case STREAM ->
				iterate(IteratedResponses.of((Stream<?>) result, this.responses, runner(runner)), runner != null);
			default -> throw new IllegalStateException("Nothing is to come of " + kind);
		}
	}

	private static Runner runner(@Nullable Runner runner) {
		return (runner != null) ? runner : new CallbackRunner();
	}

	private <T> void subscribe(Flow.Publisher<T> publisher) {
		PublishedResponses<T> subscriber = new PublishedResponses<>(this.responses);
		respondWith(subscriber);
		publisher.subscribe(subscriber);
	}

	/** In the callback or task in which this is, and no later. */
	private void iterate(IteratedResponses iterated, boolean inTask) {
		respondWith(iterated);
		if (inTask) {
			iterated.begin();
		}
		else {
			iterated.ready();
		}
	}

	private void respondWith(Responding responding) {
		this.responding = responding;
		if (this.over) {
			// told of the end before there was anybody to hear it
			responding.cancel();
		}
	}

	@Override
	public final void onReady() {
		Responding responding = this.responding;
		if (responding != null) {
			responding.ready();
		}
	}

	@Override
	public final void onCancel() {
		Status status = Contexts.statusFromCancelled(Context.current());
		end((status != null) ? status : Status.CANCELLED.withDescription("The call was cancelled"));
	}

	/**
	 * {@inheritDoc} If it was not the method that has ended the call, an interceptor has.
	 */
	@Override
	public final void onComplete() {
		end(OVER);
	}

	private void end(Status status) {
		this.over = true;
		ended(status);
		Responding responding = this.responding;
		if (responding != null && !this.responses.isClosed()) {
			responding.cancel();
		}
	}

	/**
	 * The call is over.
	 * @param status how
	 */
	void ended(Status status) {
	}

}
