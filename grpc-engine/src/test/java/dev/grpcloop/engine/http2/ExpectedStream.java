package dev.grpcloop.engine.http2;

import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

import com.google.protobuf.ByteString;
import com.google.protobuf.BytesValue;
import io.grpc.Status;
import io.netty.handler.codec.http2.DefaultHttp2Headers;
import io.netty.handler.codec.http2.Http2Headers;
import org.jspecify.annotations.Nullable;

/**
 * One stream of an {@link OracleScript}: what its client sends, and what it has to
 * receive.
 */
final class ExpectedStream {

	private static final int CANCEL = 8;

	final int id;

	private final RandomInput random;

	WireStream wire;

	/** The call, if the service was called. */
	@Nullable ServedCall call;

	/** The client has ended its side. */
	boolean ended;

	/** The client has reset the stream. */
	boolean reset;

	private Kind kind = Kind.CALL;

	/** What the client may yet make the server answer, besides what the service does. */
	private final Set<Integer> faults = new HashSet<>();

	private boolean raw;

	private byte[] unsent = {};

	/** The whole response was looked at. */
	private boolean seen;

	ExpectedStream(int id, RandomInput random) {
		this.id = id;
		this.random = random;
	}

	Http2Headers choose(List<String> methods) {
		String path = this.random.oneOf(methods);
		this.raw = path.startsWith("/t.Raw/");
		Http2Headers headers = new DefaultHttp2Headers().method("POST")
			.scheme("http")
			.path(path)
			.authority("localhost")
			.add("te", "trailers")
			.add("content-type", "application/grpc");
		if (this.random.oneIn(5)) {
			this.kind = this.random.oneOf(List.of(Kind.values()));
			switch (this.kind) {
				case UNKNOWN_METHOD -> headers.path("/t.Nope/Unary");
				case WRONG_CONTENT_TYPE -> headers.set("content-type", "text/plain");
				case WRONG_METHOD -> headers.method("GET");
				case WRONG_PATH -> headers.path("t.Echo/Unary");
				case UNKNOWN_ENCODING -> headers.add("grpc-encoding", "zz9");
				default -> {
					// a call
				}
			}
		}
		return headers;
	}

	// what the client sends

	/**
	 * The rest of a message that was begun, or another one, seldom a bad one.
	 */
	byte[] nextBytes() {
		if (this.unsent.length > 0) {
			byte[] bytes = this.unsent;
			this.unsent = new byte[0];
			return bytes;
		}
		if (this.random.oneIn(40)) {
			mayEndWith(Status.INTERNAL);
			byte[] bytes = ScriptedPeer.message(new byte[this.random.below(10)]);
			bytes[0] = (byte) this.random.oneOf(1, 2, 0x80);
			return bytes;
		}
		if (this.raw && this.random.oneIn(40)) {
			mayEndWith(Status.UNKNOWN);
			return ScriptedPeer.message(ScriptedService.poison());
		}
		if (!this.raw) {
			if (this.random.oneIn(40)) {
				mayEndWith(Status.INTERNAL);
				return ScriptedPeer.message(new byte[] { (byte) 0xff, (byte) 0xff });
			}
			byte[] bytes = this.random.message();
			BytesValue value = BytesValue.of(ByteString.copyFrom(bytes));
			return ScriptedPeer.message(value.toByteArray());
		}
		return ScriptedPeer.message(this.random.message());
	}

	void returnBytes(byte[] bytes) {
		this.unsent = bytes;
	}

	void halfCloses() {
		this.ended = true;
		if (this.unsent.length > 0) {
			// in the middle of a message, unless none of it was sent
			mayEndWith(Status.INTERNAL);
		}
	}

	/**
	 * Once a client breaks a rule the service may be cut off at any time, or may have
	 * been quicker.
	 */
	private void mayEndWith(Status status) {
		this.faults.add(status.getCode().value());
	}

	// what it has to receive

	/**
	 * Checks what has come so far.
	 */
	void verify() {
		ServedCall call = this.call;
		if (call == null || this.seen) {
			return;
		}
		this.seen = this.wire.isOver();
		byte[] sent = call.sent.toByteArray();
		check(this.wire.body.isPrefixOf(sent), "the body is not what the service sent");
		if (!this.wire.headers.isEmpty() && !this.wire.trailersOnly && call.sentHeaders != null) {
			List<String> custom = this.wire.headers.subList(customHeaders(), this.wire.headers.size());
			check(custom.equals(RandomInput.fields(call.sentHeaders)), "the headers are not what the service sent");
		}
	}

	private int customHeaders() {
		int index = 4;
		if (this.wire.headers.size() > index && this.wire.headers.get(index).equals("grpc-accept-encoding")) {
			index += 2;
		}
		return index;
	}

	/**
	 * Checks the stream when all has been done to end it.
	 */
	void verifyEnd() {
		if (this.reset) {
			return;
		}
		check(this.wire.isOver(), "the stream is not over");
		switch (this.kind) {
			case CALL -> verifyCall();
			case UNKNOWN_METHOD, UNKNOWN_ENCODING ->
				check(this.wire.status() == Status.Code.UNIMPLEMENTED.value(), "the status is " + this.wire.status());
			case WRONG_CONTENT_TYPE -> verifyRefusal("415", Status.Code.INTERNAL);
			case WRONG_METHOD -> verifyRefusal("405", Status.Code.INTERNAL);
			case WRONG_PATH -> verifyRefusal("404", Status.Code.UNIMPLEMENTED);
		}
	}

	private void verifyRefusal(String httpStatus, Status.Code code) {
		check(httpStatus.equals(this.wire.header(":status")), ":status is " + this.wire.header(":status"));
		check(String.valueOf(code.value()).equals(this.wire.header("grpc-status")), "the status is not " + code);
		check(this.wire.body.size() >= 5, "the body is too short");
		check(!this.wire.isReset(), "the stream was reset");
	}

	private void verifyCall() {
		ServedCall call = this.call;
		if (verifyFault(call)) {
			return;
		}
		check(call != null, "the service was not called");
		if (call.aborted) {
			check(this.wire.resetCode == CANCEL, "a call without its one message was not cancelled");
			return;
		}
		verifyClose(call, call.closed);
	}

	/**
	 * Whether the client's fault has ended the call, and not the service, as far as the
	 * client can tell.
	 */
	private boolean verifyFault(@Nullable ServedCall call) {
		if (this.faults.isEmpty()) {
			return false;
		}
		if (this.wire.resetCode == CANCEL) {
			return true;
		}
		if (this.faults.contains(this.wire.status())) {
			byte[] body = this.wire.body.toByteArray();
			byte[] sent = (call != null) ? call.sent.toByteArray() : new byte[0];
			check(body.length <= sent.length && Arrays.equals(body, Arrays.copyOf(sent, body.length)),
					"the body is not the beginning of what the service sent");
			return true;
		}
		check(call != null && call.closed != null && endedWith(call.closed),
				"the status is " + this.wire.status() + ", neither the service's own nor one of " + this.faults);
		return false;
	}

	private boolean endedWith(Status status) {
		return this.wire.status() == status.getCode().value() && String.valueOf(received(status))
			.equals(String.valueOf(StatusText.decode(this.wire.trailer("grpc-message"))));
	}

	private static @Nullable String received(Status status) {
		return RandomInput.received(status.getDescription());
	}

	private void verifyClose(ServedCall call, Status closed) {
		check(this.wire.status() == closed.getCode().value(),
				"the status is " + this.wire.status() + ", not " + closed.getCode());
		check(endedWith(closed), "the description is not what the service gave");
		check(Arrays.equals(this.wire.body.toByteArray(), call.sent.toByteArray()),
				"the body has " + this.wire.body.size() + " bytes, not " + call.sent.size());
		check(this.wire.trailersOnly == (call.sentHeaders == null), "Trailers-Only: " + this.wire.trailersOnly);
		List<String> trailers = this.wire.trailersOnly ? this.wire.headers.subList(4, this.wire.headers.size())
				: this.wire.trailers;
		int custom = (closed.getDescription() != null) ? 4 : 2;
		check(trailers.subList(custom, trailers.size()).equals(RandomInput.fields(call.trailers)),
				"the trailers are not what the service sent");
		check(!this.wire.isReset() || this.wire.resetAfterEnd, "the stream was reset");
	}

	private void check(boolean condition, String fault) {
		if (!condition) {
			throw new AssertionError("stream " + this.id + " (" + this.kind + ", " + this.call + "): " + fault
					+ "; headers " + this.wire.headers + ", trailers " + this.wire.trailers + ", reset "
					+ this.wire.resetCode);
		}
	}

	/**
	 * What kind of request it is.
	 */
	private enum Kind {

		CALL, UNKNOWN_METHOD, WRONG_CONTENT_TYPE, WRONG_METHOD, WRONG_PATH, UNKNOWN_ENCODING

	}

}
