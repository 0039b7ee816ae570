package dev.grpcloop.engine.differential;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

import io.grpc.Status;
import org.jspecify.annotations.Nullable;

/**
 * What the engine does otherwise than grpc-java's server, each with a reason in
 * {@code docs/protocol.md}. Some are said by a script that grpc-java's server answers as
 * the engine is to answer the original, others by the result.
 */
enum Difference {

	/** The encoding {@code identity} is not named. */
	NO_IDENTITY_ENCODING {

		@Override
		Outcome expect(CallScript script, Outcome right, Outcome outcome) {
			if (right.headers() == null || !List.of("identity").equals(right.headers().get("grpc-encoding"))) {
				return right;
			}
			Map<String, List<String>> headers = new TreeMap<>(right.headers());
			headers.remove("grpc-encoding");
			return right.withHeaders(headers);
		}

	},

	/** Names that are the protocol's are left out of headers and trailers. */
	RESERVED_NAMES_LEFT_OUT {

		@Override
		Action rewrite(Action action) {
			return rewriteFields(action, (name, value) -> RESERVED.contains(name) ? null : value);
		}

	},

	/** Spaces around a value of metadata are left out. */
	NO_SPACES_AROUND_VALUES {

		@Override
		Action rewrite(Action action) {
			return rewriteFields(action, (name, value) -> name.endsWith("-bin") ? value : trim(value));
		}

	},

	/** Half a surrogate pair in a description becomes U+FFFD, not a question mark. */
	HALF_A_CHARACTER {

		@Override
		Action rewrite(Action action) {
			return (action instanceof Action.Close close) ? new Action.Close(close.code(),
					close.description().replace('\ud800', '\ufffd'), close.trailers(), close.checked()) : action;
		}

	},

	/**
	 * A response whose marshaller throws ends its call with UNKNOWN; grpc-java resets the
	 * stream, or ends it with CANCELLED after an error.
	 */
	RESPONSE_MARSHALLER_THROWS {

		// see CallScript.answersFaults

	},

	/** What startCall throws keeps its trailers. */
	TRAILERS_OF_THE_START_KEPT {

		@Override
		Outcome expect(CallScript script, Outcome right, Outcome outcome) {
			if (!right.end().startsWith("startCall threw") || !String.valueOf(right.description()).startsWith("told")
					|| right.code() == Status.Code.ABORTED) {
				return right;
			}
			Map<String, List<String>> trailers = new TreeMap<>(right.trailers());
			trailers.putAll(Fields.describe(Failure.trailers()));
			return right.withTrailers(trailers);
		}

	},

	/** A method that is not there is looked for before the encoding. */
	METHOD_BEFORE_ENCODING {

		@Override
		Outcome expect(CallScript script, Outcome right, Outcome outcome) {
			return script.method() ? right
					: right.withStatus(Status.Code.UNIMPLEMENTED, "Method not found: " + script.path());
		}

	},

	/** A call whose encoding is not known is told so after headers. */
	HEADERS_BEFORE_UNKNOWN_ENCODING {

		@Override
		Outcome expect(CallScript script, Outcome right, Outcome outcome) {
			if (!script.method() || !"unheard-of".equals(script.encoding()) || right.code() != Status.Code.UNIMPLEMENTED
					|| right.headers() != null) {
				return right;
			}
			return right
				.withHeaders(new TreeMap<>(
						Map.of("content-type", List.of("application/grpc"), "grpc-accept-encoding", List.of("gzip"))))
				.withTrailers(Map.of());
		}

	},

	/**
	 * A request that cannot be read ends its call with the status of the exception, or
	 * with INTERNAL if it cannot be decompressed, and the listener hears of a
	 * cancellation at once. grpc-java always says UNKNOWN, and goes on.
	 */
	REQUEST_UNREADABLE {

		@Override
		Outcome expect(CallScript script, Outcome right, Outcome outcome) {
			boolean broken = "broken".equals(script.encoding());
			Failure failure = script.unreadable();
			// grpc-java resets the call if it cannot be decompressed after the headers
			String description = String.valueOf(right.description());
			boolean theirs = broken ? description.equals("null") || description.startsWith("RST_STREAM")
					: description.equals("Application error processing RPC");
			if ((!broken && failure == null) || !theirs || outcome.events().contains("end")
					|| !outcome.end().equals("cancel") || !isPrefix(outcome.events(), right.events())) {
				return right;
			}
			Status status = broken ? Status.INTERNAL.withDescription("The message cannot be decompressed")
					: script.protobuf() ? Status.INTERNAL.withDescription("Invalid protobuf byte sequence")
							: failure.isStatus() ? Status.fromThrowable(failure.create())
									: Status.UNKNOWN.withDescription("Application error processing RPC");
			return right.withStatus(status.getCode(), status.getDescription())
				.withMessages(
						eitherIsPrefix(right.messages(), outcome.messages()) ? outcome.messages() : right.messages())
				.withEvents(outcome.events())
				.withEnd("cancel");
		}

	},

	/** Of what was sent before a reset, as much arrives as happened to be out. */
	SENT_BEFORE_A_RESET {

		@Override
		Outcome expect(CallScript script, Outcome right, Outcome outcome) {
			return (String.valueOf(right.description()).startsWith("RST_STREAM")
					&& eitherIsPrefix(right.messages(), outcome.messages())) ? right.withMessages(outcome.messages())
							: right;
		}

	},

	/**
	 * A call that its service ends before the client's half-close completes. grpc-java
	 * may call it cancelled if the client is quick to give up what it was sending.
	 */
	EARLY_END_COMPLETES {

		@Override
		Outcome expect(CallScript script, Outcome right, Outcome outcome) {
			boolean early = right.events().contains("end") && !right.events().contains("halfClose");
			return (early && right.end().equals("cancel") && outcome.end().equals("complete"))
					? right.withEnd("complete") : right;
		}

	};

	private static final Set<String> RESERVED = Set.of("content-type", "te", "user-agent", "grpc-status",
			"grpc-message", "grpc-encoding", "grpc-accept-encoding", "content-length", "host");

	/**
	 * What grpc-java's server would have to be told to do as the engine does.
	 */
	Action rewrite(Action action) {
		return action;
	}

	/**
	 * What the engine is to do where grpc-java's server does {@code right}.
	 */
	Outcome expect(CallScript script, Outcome right, Outcome outcome) {
		return right;
	}

	static CallScript rewriteAll(CallScript script) {
		Map<Event, List<Action>> service = new EnumMap<>(Event.class);
		script.service().forEach((event, actions) -> service.put(event, actions.stream().map((action) -> {
			Action result = action;
			for (Difference difference : values()) {
				result = difference.rewrite(result);
			}
			return result;
		}).toList()));
		return script.withService(service);
	}

	static Outcome expectAll(CallScript script, Outcome right, Outcome outcome) {
		Outcome result = right;
		for (Difference difference : values()) {
			result = difference.expect(script, result, outcome);
		}
		return result;
	}

	/**
	 * What another run of grpc-java's own server may come to.
	 */
	static Outcome expectOfGrpcJava(CallScript script, Outcome reference, Outcome outcome) {
		Outcome result = SENT_BEFORE_A_RESET.expect(script, reference, outcome);
		boolean early = result.events().contains("end") && !result.events().contains("halfClose");
		return early ? result.withEnd(outcome.end()) : result;
	}

	private static Action rewriteFields(Action action, FieldRewriter rewriter) {
		if (action instanceof Action.Headers headers) {
			return new Action.Headers(rewriteFields(headers.fields(), rewriter));
		}
		return (action instanceof Action.Close close) ? new Action.Close(close.code(), close.description(),
				rewriteFields(close.trailers(), rewriter), close.checked()) : action;
	}

	private static Fields rewriteFields(Fields fields, FieldRewriter rewriter) {
		List<Map.Entry<String, String>> result = new ArrayList<>();
		for (Map.Entry<String, String> field : fields.fields()) {
			String value = rewriter.rewrite(field.getKey(), field.getValue());
			if (value != null) {
				result.add(Map.entry(field.getKey(), value));
			}
		}
		return new Fields(result);
	}

	private static String trim(String value) {
		return value.replaceAll("^ +| +$", "");
	}

	private static boolean isPrefix(List<String> prefix, List<String> list) {
		return prefix.size() <= list.size() && list.subList(0, prefix.size()).equals(prefix);
	}

	private static boolean eitherIsPrefix(List<String> one, List<String> other) {
		return isPrefix(one, other) || isPrefix(other, one);
	}

	private interface FieldRewriter {

		@Nullable String rewrite(String name, String value);

	}

}
