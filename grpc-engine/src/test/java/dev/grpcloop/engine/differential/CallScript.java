package dev.grpcloop.engine.differential;

import java.util.List;
import java.util.Map;
import java.util.Objects;

import io.grpc.MethodDescriptor.MethodType;
import org.jspecify.annotations.Nullable;

/**
 * One call, from both sides.
 *
 * @param type the kind of call, as the server sees it
 * @param api which API the service is written with
 * @param protobuf whether the server's marshallers are grpc-protobuf's
 * @param method whether the server has the method
 * @param headers the request's metadata
 * @param encoding what the client compresses with: {@code gzip}, a name that the server
 * does not know, {@code broken} for gzip that is none, or {@code null}
 * @param eager whether the client requests all responses at once, or one by one
 * @param steps what the client does
 * @param autoRequest whether the service requests a message at the start and one more for
 * each it gets
 * @param otherThread whether the service answers the half-close in another thread
 * @param interception what an interceptor does
 * @param service what the service does
 * @param answersFaults whether a response whose marshaller fails is answered as the
 * engine does it, so that grpc-java's server can be asked what would be right then
 */
record CallScript(MethodType type, Api api, boolean protobuf, boolean method, Fields headers, @Nullable String encoding,
		boolean eager, List<Step> steps, boolean autoRequest, boolean otherThread, Interception interception,
		Map<Event, List<Action>> service, boolean answersFaults) {

	enum Api {

		SERVER_CALL, STREAM_OBSERVER

	}

	enum Interception {

		NONE, ADDS_METADATA, CLOSES, THROWS, THROWS_STATUS, TRANSMITS_STATUS, ENDS_AT_MESSAGE

	}

	List<Action> at(Event event) {
		return this.service.getOrDefault(event, List.of());
	}

	boolean cancels() {
		return this.steps.stream().anyMatch(Step.Cancel.class::isInstance);
	}

	/**
	 * Whether grpc-java's own result depends on where its callbacks run: it goes on after
	 * a request that it cannot read, and its queue of callbacks stands still after
	 * something that is no RuntimeException.
	 */
	boolean dividesGrpcJava() {
		String text = toString();
		return unreadable() != null || "broken".equals(this.encoding) || text.contains(Failure.ERROR.name())
				|| text.contains(Failure.STATUS_CHECKED_WITH_TRAILERS.name());
	}

	/**
	 * The first request that the server's marshaller cannot read, or {@code null}.
	 */
	@Nullable Failure unreadable() {
		return this.steps.stream()
			.filter(Step.Send.class::isInstance)
			.map((step) -> ((Step.Send) step).message().failure())
			.filter(Objects::nonNull)
			.findFirst()
			.orElse(null);
	}

	CallScript withService(Map<Event, List<Action>> service) {
		return new CallScript(this.type, this.api, this.protobuf, this.method, this.headers, this.encoding, this.eager,
				this.steps, this.autoRequest, this.otherThread, this.interception, service, true);
	}

	String path() {
		return "d.Differential/" + (this.method ? this.type + "_" + this.api + "_" + this.protobuf : "Missing");
	}

}
