package dev.grpcloop.engine.http2;

import java.io.ByteArrayOutputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

import com.google.protobuf.ByteString;
import com.google.protobuf.BytesValue;
import io.grpc.Metadata;
import io.grpc.ServerCall;
import io.grpc.Status;
import org.jspecify.annotations.Nullable;

/**
 * A call as its service sees it: what came, what was sent, and whether the callbacks kept
 * their order. A callback that should not have come is a fault of the
 * {@link ScriptedService}, since what a callback throws the engine swallows.
 */
final class ServedCall {

	/** How a call ends whose service threw something. */
	static final Status FAILURE = Status.UNKNOWN.withDescription("Application error processing RPC");

	final ServerCall<Object, Object> call;

	final Metadata metadata;

	/** The names of the callbacks, in order; messages with their length. */
	final List<String> events = new ArrayList<>();

	final List<byte[]> received = new ArrayList<>();

	/** What was sent, as it has to stand on the wire. */
	final ByteArrayOutputStream sent = new ByteArrayOutputStream();

	private final ScriptedService service;

	private Behaviour behaviour = Behaviour.SILENT;

	private final boolean protobuf;

	@Nullable Metadata sentHeaders;

	/** How the service closed the call. */
	@Nullable Status closed;

	Metadata trailers = new Metadata();

	/** The call was started, and not refused by an exception. */
	boolean hasListener;

	/** The service broke the rules of the call: its stream is to be reset. */
	boolean aborted;

	boolean completed;

	boolean cancelled;

	/** How many messages the service has asked for. */
	private long requested;

	private boolean halfClosed;

	private boolean inCallback;

	private boolean usedOutside;

	ServedCall(ScriptedService service, ServerCall<Object, Object> call, Metadata metadata) {
		this.service = service;
		this.call = call;
		this.metadata = metadata;
		this.protobuf = call.getMethodDescriptor().getFullMethodName().startsWith("t.Echo/");
	}

	String method() {
		return this.call.getMethodDescriptor().getFullMethodName();
	}

	boolean isEnded() {
		return this.completed || this.cancelled;
	}

	ServerCall.Listener<Object> start(Behaviour behaviour) {
		this.behaviour = behaviour;
		boolean started = false;
		try {
			callback("start", behaviour::started);
			started = true;
		}
		finally {
			this.hasListener = started;
		}
		return new Listener();
	}

	// what the service does

	/**
	 * Whether it has asked for more messages than have come.
	 */
	boolean wantsMore() {
		return this.requested > this.received.size();
	}

	void request(int messages) {
		this.requested += messages;
		this.call.request(messages);
	}

	void sendHeaders(Metadata headers) {
		this.sentHeaders = headers;
		this.call.sendHeaders(headers);
	}

	/**
	 * Sends a message, and headers before the first.
	 */
	void send(byte[] message) {
		if (this.sentHeaders == null) {
			sendHeaders(new Metadata());
		}
		if (!this.call.isCancelled()) {
			byte[] framed = framed(message);
			this.sent.write(framed, 0, framed.length);
		}
		this.call.sendMessage(this.protobuf ? BytesValue.of(ByteString.copyFrom(message)) : message);
	}

	/**
	 * Sends a message that its marshaller cannot write: the call ends with that.
	 */
	void sendPoison(byte[] poison) {
		if (this.sentHeaders == null) {
			sendHeaders(new Metadata());
		}
		fails(FAILURE);
		this.call.sendMessage(poison);
	}

	/**
	 * The call has to end with a status that the service did not give, if it has given
	 * none.
	 */
	void fails(Status status) {
		if (!isDone()) {
			this.closed = status;
		}
	}

	/**
	 * Completes with OK although the method has to send one message, and has sent none,
	 * or sends a second one.
	 */
	void breaksCardinality() {
		this.aborted = true;
		if (this.sent.size() > 0) {
			this.call.sendMessage(this.protobuf ? BytesValue.getDefaultInstance() : new byte[0]);
		}
		else {
			this.call.close(Status.OK, new Metadata());
		}
	}

	/**
	 * Whether a thread uses the call, which no other may then do.
	 */
	boolean isBusy() {
		return this.inCallback || this.usedOutside;
	}

	/**
	 * Whether a thread that runs no callback uses the call.
	 */
	boolean isUsedOutside() {
		return this.usedOutside;
	}

	/**
	 * Uses the call outside of its callbacks.
	 */
	void useOutside(Runnable use) {
		this.usedOutside = true;
		try {
			use.run();
		}
		finally {
			this.usedOutside = false;
		}
	}

	/**
	 * Whether the service has nothing more to do.
	 */
	boolean isDone() {
		return this.closed != null || this.aborted || isEnded();
	}

	boolean sendsOneMessage() {
		return this.call.getMethodDescriptor().getType().serverSendsOneMessage();
	}

	/**
	 * Returns what a message has to be on the wire.
	 */
	byte[] framed(byte[] message) {
		byte[] body = this.protobuf ? BytesValue.of(ByteString.copyFrom(message)).toByteArray() : message;
		return ScriptedPeer.message(body);
	}

	void close(Status status) {
		close(status, new Metadata());
	}

	void close(Status status, Metadata trailers) {
		this.closed = status;
		this.trailers = trailers;
		this.call.close(status, trailers);
	}

	private void callback(String event, Consumer<ServedCall> step) {
		this.service.expect(!this.inCallback, event + " came inside another callback: " + this);
		this.service.expect(!isEnded(), event + " came after the end: " + this);
		this.service.expectThread(event + " ran on the wrong thread: " + this);
		this.service.interrupt();
		this.events.add(event);
		this.inCallback = true;
		try {
			step.accept(this);
		}
		finally {
			this.inCallback = false;
		}
	}

	@Override
	public String toString() {
		return method() + " " + this.events + ", closed with " + this.closed + (this.aborted ? ", aborted" : "");
	}

	private final class Listener extends ServerCall.Listener<Object> {

		@Override
		public void onMessage(Object message) {
			byte[] bytes = ServedCall.this.protobuf ? ((BytesValue) message).getValue().toByteArray()
					: (byte[]) message;
			ServedCall.this.service.expect(!ServedCall.this.halfClosed, "a message after the half-close: " + this);
			ServedCall.this.received.add(bytes);
			callback("message:" + bytes.length, (call) -> call.behaviour.message(call, bytes));
		}

		@Override
		public void onHalfClose() {
			ServedCall.this.service.expect(!ServedCall.this.halfClosed, "two half-closes: " + this);
			ServedCall.this.halfClosed = true;
			callback("halfClose", ServedCall.this.behaviour::halfClosed);
		}

		@Override
		public void onReady() {
			callback("ready", ServedCall.this.behaviour::ready);
		}

		@Override
		public void onComplete() {
			callback("complete", (call) -> {
				call.completed = true;
				call.behaviour.ended(call);
			});
		}

		@Override
		public void onCancel() {
			callback("cancel", (call) -> {
				call.cancelled = true;
				call.behaviour.ended(call);
			});
		}

		@Override
		public String toString() {
			return ServedCall.this.toString();
		}

	}

	/**
	 * What a service does when it is called.
	 */
	interface Behaviour {

		/** Sends back each message as it comes, and closes when the client does. */
		Behaviour ECHO = new Behaviour() {

			@Override
			public void started(ServedCall call) {
				call.request(1);
			}

			@Override
			public void message(ServedCall call, byte[] message) {
				call.send(message);
				call.request(1);
			}

			@Override
			public void halfClosed(ServedCall call) {
				call.close(Status.OK);
			}

		};

		/** Wants nothing and says nothing. */
		Behaviour SILENT = new Behaviour() {

		};

		/** Takes all messages and says nothing. */
		Behaviour SINK = new Behaviour() {

			@Override
			public void started(ServedCall call) {
				call.request(Integer.MAX_VALUE);
			}

		};

		default void started(ServedCall call) {
		}

		default void message(ServedCall call, byte[] message) {
		}

		default void halfClosed(ServedCall call) {
		}

		default void ready(ServedCall call) {
		}

		default void ended(ServedCall call) {
		}

	}

}
