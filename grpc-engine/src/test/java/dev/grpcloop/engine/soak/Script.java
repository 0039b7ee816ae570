package dev.grpcloop.engine.soak;

import java.util.Arrays;
import java.util.SplittableRandom;

import com.google.protobuf.BytesValue;
import dev.grpcloop.engine.testproto.EchoGrpc;
import io.grpc.MethodDescriptor;
import io.grpc.Status;

/**
 * What client and server do in one call. All of it follows from the number of the call,
 * so that each side knows what the other must do.
 *
 * @param id the number of the call, and the seed of everything in it
 * @param kind the kind of call
 * @param requests the sizes of the requests
 * @param responses the sizes of the responses, if the call comes so far
 * @param pace how the service sends
 * @param ending how the service ends the call
 * @param code the status that the client is told
 * @param early after how many requests the service ends an {@link Ending#EARLY} call
 * @param compressed whether requests and responses are compressed with gzip
 * @param fields how many metadata fields go to the server and come back
 * @param clientHeedsReady whether the client sends only while it is ready; the stock
 * client tells only those that stream requests
 * @param clientWindow for how many messages the client asks at a time
 * @param waitForReady whether the call waits for a connection
 * @param interruption what the client does to the call
 * @param interruptedAt when: after so many messages, or milliseconds
 */
record Script(long id, Kind kind, int[] requests, int[] responses, Pace pace, Ending ending, Status.Code code,
		int early, boolean compressed, int fields, boolean clientHeedsReady, int clientWindow, boolean waitForReady,
		Interruption interruption, int interruptedAt) {

	private static final int MOST_MESSAGES = 20;

	static Script of(long id) {
		SplittableRandom random = new SplittableRandom(id);
		Kind kind = pick(random, 40, Kind.values());
		int requestCount = kind.streamsRequests ? count(random) : 1;
		int responseCount = (kind == Kind.BIDI) ? requestCount : kind.streamsResponses ? count(random) : 1;
		Ending ending = pick(random, 70, Ending.values());
		if (ending == Ending.EARLY && !kind.streamsRequests) {
			ending = Ending.STATUS;
		}
		int early = random.nextInt(1, requestCount + 2);
		if (early > requestCount) {
			early = requestCount;
		}
		Status.Code code = switch (ending) {
			case OK -> Status.Code.OK;
			case STATUS, EARLY -> Status.fromCodeValue(random.nextInt(1, 17)).getCode();
			case THROWN -> Status.Code.UNKNOWN;
		};
		// a listener's exception comes from a callback, where all must have been sent
		Pace pace = (ending == Ending.THROWN) ? Pace.EAGER : pick(random, 40, Pace.values());
		return new Script(id, kind, sizes(random, requestCount), sizes(random, responseCount), pace, ending, code,
				early, random.nextInt(4) == 0, random.nextInt(4), kind.streamsRequests && random.nextBoolean(),
				random.nextBoolean() ? MOST_MESSAGES : random.nextInt(1, 4), random.nextBoolean(),
				pick(random, 65, Interruption.values()), random.nextInt(1, 30));
	}

	/**
	 * Takes the first in so many cases of a hundred, and any of the others in the rest.
	 */
	private static <T> T pick(SplittableRandom random, int first, T[] values) {
		return (random.nextInt(100) < first) ? values[0] : values[random.nextInt(1, values.length)];
	}

	private static int count(SplittableRandom random) {
		return Math.min(MOST_MESSAGES, 1 + (int) (-4 * Math.log(1 - random.nextDouble())));
	}

	private static int[] sizes(SplittableRandom random, int count) {
		int[] sizes = new int[count];
		for (int i = 0; i < count; i++) {
			int most = switch (random.nextInt(100)) {
				case 0 -> (count == 1) ? 3_000_000 : 300_000;
				case 1, 2, 3, 4, 5 -> 100_000;
				case 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19 -> 10_000;
				default -> 200;
			};
			sizes[i] = random.nextInt(most);
		}
		return sizes;
	}

	/**
	 * After how many requests the response may be sent.
	 */
	int requestsBefore(int response) {
		return switch (this.kind) {
			case UNARY, SERVER_STREAM -> 1;
			case CLIENT_STREAM -> this.requests.length;
			case BIDI -> response + 1;
		};
	}

	/**
	 * Returns the number of responses of a call that nothing interrupts.
	 */
	int expectedResponses() {
		if (!this.kind.streamsResponses) {
			return (this.ending == Ending.OK) ? 1 : 0;
		}
		return (this.ending == Ending.EARLY) ? this.early : this.responses.length;
	}

	/**
	 * Returns the number of requests after which the service ends the call.
	 */
	int expectedRequests() {
		return (this.ending == Ending.EARLY) ? this.early : this.requests.length;
	}

	@Override
	public String toString() {
		return this.kind + " " + this.id + " (requests " + Arrays.toString(this.requests) + ", responses "
				+ Arrays.toString(this.responses) + ", " + this.pace + ", " + this.ending + " " + this.code + " after "
				+ this.early + (this.compressed ? ", gzip" : "") + (this.clientHeedsReady ? ", heeds ready" : "")
				+ (this.waitForReady ? ", waits for ready" : "") + ", window " + this.clientWindow + ", "
				+ this.interruption + " " + this.interruptedAt + ")";
	}

	String description() {
		return "the end of " + this.id;
	}

	enum Kind {

		UNARY(false, false, EchoGrpc.getUnaryMethod()),

		CLIENT_STREAM(true, false, EchoGrpc.getClientStreamMethod()),

		SERVER_STREAM(false, true, EchoGrpc.getServerStreamMethod()),

		BIDI(true, true, EchoGrpc.getBidiMethod());

		final boolean streamsRequests;

		final boolean streamsResponses;

		final MethodDescriptor<BytesValue, BytesValue> method;

		Kind(boolean streamsRequests, boolean streamsResponses, MethodDescriptor<BytesValue, BytesValue> method) {
			this.streamsRequests = streamsRequests;
			this.streamsResponses = streamsResponses;
			this.method = method;
		}

	}

	/**
	 * How the service sends.
	 */
	enum Pace {

		/** All it has, whether the call is ready or not. */
		EAGER,

		/** While the call is ready. */
		READY,

		/** A message now and then, from a thread of its own. */
		SLOW

	}

	/**
	 * How the service ends the call.
	 */
	enum Ending {

		/** With all it was asked for. */
		OK,

		/** With an error at the end. */
		STATUS,

		/** With an exception at the end. */
		THROWN,

		/** With an error before it has read all requests. */
		EARLY

	}

	/**
	 * What the client does to the call.
	 */
	enum Interruption {

		NONE,

		/** Cancels it when it has begun. */
		CANCEL_AT_ONCE,

		/** Cancels it when it has sent some requests. */
		CANCEL_WHILE_SENDING,

		/** Cancels it when it has got some responses. */
		CANCEL_WHILE_RECEIVING,

		/** Cancels it after some milliseconds. */
		CANCEL_LATER,

		/** Gives it a deadline of some milliseconds. */
		DEADLINE;

		/**
		 * Returns how the call may end because of it.
		 */
		Status.Code code() {
			return (this == DEADLINE) ? Status.Code.DEADLINE_EXCEEDED : Status.Code.CANCELLED;
		}

	}

}
