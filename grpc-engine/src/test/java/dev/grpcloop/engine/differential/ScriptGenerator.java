package dev.grpcloop.engine.differential;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Random;

import dev.grpcloop.engine.differential.CallScript.Api;
import dev.grpcloop.engine.differential.CallScript.Interception;
import io.grpc.MethodDescriptor.MethodType;
import io.grpc.Status;
import org.jspecify.annotations.Nullable;

/**
 * Makes call scripts. What a client is told must not depend on who is faster: a client
 * cancels, and sends what the server cannot take, only when it knows how far the server
 * is.
 */
final class ScriptGenerator {

	private static final MethodType[] TYPES = { MethodType.UNARY, MethodType.CLIENT_STREAMING,
			MethodType.SERVER_STREAMING, MethodType.BIDI_STREAMING };

	private static final String[] NAMES = { "x-a", "x-b", "x-a", "a-bin", "b-bin", "grpc-status-details-bin", "date" };

	private static final String[] RESERVED = { "content-type", "te", "user-agent", "grpc-status", "grpc-message",
			"grpc-encoding", "grpc-accept-encoding", "content-length", "host" };

	private static final String[] VALUES = { "", "v", "two words", " spaces around ", "100%", "a,b", "caf\u00e9",
			"line\nfeed", "tab\t", "\u65e5\u672c", "~!@#$^&*()_+{}|:\"<>?" };

	private static final String[] DESCRIPTIONS = { "null", "", "plain", "50% off", "%41", "line\nfeed\r\n",
			" spaces around ", "caf\u00e9 \u65e5\u672c \ud83d\ude00", "\u0000\u007f", "half \ud800",
			"long ".repeat(300) };

	private final Random random;

	ScriptGenerator(long seed) {
		this.random = new Random(seed);
	}

	CallScript next() {
		MethodType type = TYPES[this.random.nextInt(TYPES.length)];
		Api api = one(3) ? Api.STREAM_OBSERVER : Api.SERVER_CALL;
		boolean protobuf = one(2);
		String encoding = one(4) ? (one(5) ? "unheard-of" : "gzip") : one(40) ? "broken" : null;
		boolean cancels = one(6);
		if (cancels) {
			encoding = (encoding != null) ? "gzip" : null;
		}
		Interception interception = (!cancels && one(4))
				? Interception.values()[this.random.nextInt(Interception.values().length)] : Interception.NONE;
		boolean autoRequest = api == Api.STREAM_OBSERVER || !one(5);
		Map<Event, List<Action>> service = new EnumMap<>(Event.class);
		Plan plan = new Plan(type, api, protobuf, cancels, "broken".equals(encoding));
		plan.service(service, autoRequest);
		List<Step> steps = plan.steps(service);
		return new CallScript(type, api, protobuf, cancels || !one(40), fields(NAMES, 4), encoding, one(2) || cancels,
				steps, autoRequest, api == Api.SERVER_CALL && one(6) && !plan.unreadable, interception, service, false);
	}

	private boolean one(int of) {
		return this.random.nextInt(of) == 0;
	}

	private <T> T any(T[] values) {
		return values[this.random.nextInt(values.length)];
	}

	private Fields fields(String[] names, int max) {
		List<Map.Entry<String, String>> fields = new ArrayList<>();
		for (int i = one(2) ? 0 : this.random.nextInt(max + 1); i > 0; i--) {
			fields.add(Map.entry(any(names), any(VALUES)));
		}
		return new Fields(fields);
	}

	private Fields responseFields() {
		Fields fields = fields(NAMES, 4);
		if (one(4)) {
			List<Map.Entry<String, String>> forged = new ArrayList<>(fields.fields());
			forged.add(Map.entry(any(RESERVED), one(2) ? "0" : "forged"));
			return new Fields(forged);
		}
		return fields;
	}

	private int size() {
		return switch (this.random.nextInt(12)) {
			case 0, 1 -> 0;
			case 2 -> 1;
			case 3 -> 16 * 1024 - 5 + this.random.nextInt(11);
			case 4 -> 65535 - 5 + this.random.nextInt(11);
			case 5 -> 200_000;
			default -> this.random.nextInt(300);
		};
	}

	/**
	 * One script in the making.
	 */
	private final class Plan {

		private final MethodType type;

		private final Api api;

		private final boolean protobuf;

		private final boolean cancels;

		/**
		 * The last request cannot be read. It is the last thing that the client does, for
		 * grpc-java's server would go on, and what its service answered then would close
		 * the connection.
		 */
		private boolean unreadable;

		Plan(MethodType type, Api api, boolean protobuf, boolean cancels, boolean unreadable) {
			this.type = type;
			this.api = api;
			this.protobuf = protobuf;
			this.cancels = cancels;
			this.unreadable = unreadable;
		}

		void service(Map<Event, List<Action>> service, boolean autoRequest) {
			List<Action> start = actions(service, Event.START);
			if (!autoRequest) {
				start.add(new Action.Request(one(2) ? 1000 : 3));
			}
			if (one(5)) {
				start.add(new Action.Compression((!this.cancels && one(8)) ? "unheard-of" : "gzip"));
			}
			if (one(8)) {
				start.add(new Action.MessageCompression(one(2)));
			}
			boolean headersAtStart = !one(3);
			if (headersAtStart) {
				start.add(new Action.Headers(responseFields()));
			}
			if (this.cancels) {
				cancelled(service, headersAtStart);
				return;
			}
			List<Action> halfClose = actions(service, Event.HALF_CLOSE);
			if (!headersAtStart && !one(8)) {
				halfClose.add(new Action.Headers(responseFields()));
			}
			int messages = serverSendsOne() ? (one(8) ? this.random().nextInt(4) : 1) : this.random().nextInt(5);
			for (int i = 0; i < messages; i++) {
				Event event = (serverSendsOne() || !headersAtStart) ? Event.HALF_CLOSE
						: any(new Event[] { Event.START, Event.READY, Event.HALF_CLOSE, Event.HALF_CLOSE });
				actions(service, event).add(new Action.Send(response()));
				if (one(10)) {
					actions(service, event).add(new Action.MessageCompression(one(2)));
				}
			}
			halfClose.add(close());
			if (one(12)) {
				halfClose.add(close());
			}
			disturb(service);
		}

		private void cancelled(Map<Event, List<Action>> service, boolean headersAtStart) {
			if (headersAtStart && !serverSendsOne()) {
				actions(service, Event.FIRST_MESSAGE).add(new Action.Send(new Msg(size(), 1, null)));
				actions(service, Event.LATER_MESSAGE).add(new Action.Send(new Msg(size(), 2, null)));
			}
			if (one(4)) {
				actions(service, Event.CANCEL).add(new Action.Throw(any(Failure.values())));
			}
			if (one(4)) {
				actions(service, Event.CANCEL).add(close());
			}
		}

		private void disturb(Map<Event, List<Action>> service) {
			if (!one(3)) {
				return;
			}
			Event event = any(Event.values());
			Action action = switch (this.random().nextInt(4)) {
				case 0 -> close();
				case 1 -> new Action.Compression("gzip");
				default -> new Action.Throw(any(Failure.values()));
			};
			List<Action> actions = actions(service, event);
			actions.add(this.random().nextInt(actions.size() + 1), action);
		}

		List<Step> steps(Map<Event, List<Action>> service) {
			List<Step> steps = new ArrayList<>();
			if (this.api == Api.SERVER_CALL && service.containsKey(Event.READY)) {
				steps.add(new Step.AwaitReady());
			}
			int requests = clientSendsOne() ? ((!this.cancels && one(12)) ? this.random().nextInt(3) : 1)
					: this.random().nextInt(4);
			requests = this.unreadable ? 1 : requests;
			boolean compressed = this.unreadable;
			for (int i = 0; i < requests && (i == 0 || !this.unreadable); i++) {
				if (!compressed && one(8)) {
					steps.add(new Step.MessageCompression(one(2)));
				}
				// an empty message is never compressed
				steps.add(new Step.Send(compressed ? new Msg(10, 0, null) : request(i)));
			}
			if (this.cancels) {
				if (!serverSendsOne() && service.get(Event.START).stream().anyMatch(Action.Headers.class::isInstance)
						&& this.api == Api.SERVER_CALL) {
					steps.add(new Step.AwaitHeaders());
				}
				boolean echoes = service.containsKey(Event.FIRST_MESSAGE);
				int awaited = Math.min(requests, 3);
				if (this.api == Api.SERVER_CALL) {
					steps.add(new Step.AwaitStart());
					steps.add(new Step.AwaitDelivered(awaited));
					if (echoes) {
						steps.add(new Step.AwaitMessages(awaited));
					}
				}
				else {
					steps.add(new Step.AwaitStart());
					if (!clientSendsOne()) {
						steps.add(new Step.AwaitDelivered(awaited));
						if (echoes) {
							steps.add(new Step.AwaitMessages(awaited));
						}
					}
				}
				steps.add(new Step.Cancel());
			}
			else if (!this.unreadable) {
				if (one(10)) {
					steps.add(new Step.AwaitStart());
				}
				steps.add(new Step.HalfClose());
			}
			return steps;
		}

		private Msg request(int index) {
			if (!this.cancels && one(25)) {
				this.unreadable = true;
				return new Msg(2, 0, this.protobuf ? Failure.RUNTIME : any(Failure.values()));
			}
			return new Msg(size(), index, null);
		}

		private Msg response() {
			@Nullable Failure failure = (!this.protobuf && one(15)) ? any(Failure.values()) : null;
			return new Msg(size(), this.random().nextInt(100), failure);
		}

		private Action.Close close() {
			Status.Code code = one(2) ? Status.Code.OK : any(Status.Code.values());
			return new Action.Close(code, any(DESCRIPTIONS), responseFields(), one(2));
		}

		private boolean serverSendsOne() {
			return this.type.serverSendsOneMessage();
		}

		private boolean clientSendsOne() {
			return this.type.clientSendsOneMessage();
		}

		private Random random() {
			return ScriptGenerator.this.random;
		}

		private static List<Action> actions(Map<Event, List<Action>> service, Event event) {
			return service.computeIfAbsent(event, (key) -> new ArrayList<>());
		}

	}

}
