package dev.grpcloop.engine.soak;

import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

import com.google.protobuf.BytesValue;
import io.grpc.Metadata;
import io.grpc.ServerCall;
import io.grpc.Status;

/**
 * The server's part of a script. Its callbacks and its timer use the call in turn.
 */
final class ServedScript extends ServerCall.Listener<BytesValue> {

	private static final int SLOW_MILLIS = 2;

	private final CallRecord record;

	private final Script script;

	private final ServerCall<BytesValue, BytesValue> call;

	private final ScheduledExecutorService timer;

	private final Metadata fields;

	private final long[] checksums;

	private int received;

	private int sent;

	private boolean halfClosed;

	private boolean finished;

	private boolean ticking;

	ServedScript(CallRecord record, ServerCall<BytesValue, BytesValue> call, ScheduledExecutorService timer,
			Metadata headers) {
		this.record = record;
		this.script = record.script();
		this.call = call;
		this.timer = timer;
		this.fields = Content.fieldsOf(headers);
		this.checksums = new long[this.script.requests().length + 1];
		record.starts.incrementAndGet();
		if (!Content.isComplete(this.script, headers)) {
			record.fault("metadata was lost on the way to the server");
		}
		if (this.script.compressed()) {
			call.setCompression("gzip");
			call.setMessageCompression(true);
		}
		call.request(1);
	}

	@Override
	public synchronized void onMessage(BytesValue message) {
		if (this.received >= this.script.requests().length
				|| !message.equals(Content.request(this.script, this.received))) {
			this.record.fault("request " + this.received + " is wrong, with " + message.getValue().size() + " bytes");
			return;
		}
		this.checksums[this.received + 1] = Content.checksum(this.checksums[this.received], message);
		this.received++;
		proceed();
		if (!this.finished) {
			this.call.request(1);
		}
	}

	@Override
	public synchronized void onHalfClose() {
		this.halfClosed = true;
		if (this.received != this.script.requests().length) {
			this.record.fault("half-closed after " + this.received + " requests");
		}
		proceed();
		if (this.script.ending() == Script.Ending.THROWN) {
			this.finished = true;
			throw new ScriptedException();
		}
	}

	@Override
	public synchronized void onReady() {
		proceed();
	}

	@Override
	public synchronized void onCancel() {
		end();
	}

	@Override
	public synchronized void onComplete() {
		end();
	}

	private void end() {
		this.finished = true;
		this.record.ends.incrementAndGet();
	}

	private synchronized void tick() {
		this.ticking = false;
		if (mayRespond() && !this.finished) {
			respond();
		}
		proceed();
	}

	/**
	 * Sends what may be sent now, and ends the call when it is time.
	 */
	private void proceed() {
		while (mayRespond() && !this.finished) {
			if (this.script.pace() == Script.Pace.SLOW) {
				if (!this.ticking) {
					this.ticking = true;
					this.timer.schedule(this::tick, SLOW_MILLIS, TimeUnit.MILLISECONDS);
				}
				return;
			}
			if (this.script.pace() == Script.Pace.READY && !this.call.isReady()) {
				return;
			}
			respond();
		}
		boolean early = this.script.ending() == Script.Ending.EARLY && this.received >= this.script.early();
		if ((this.halfClosed || early) && !this.finished && this.script.ending() != Script.Ending.THROWN
				&& this.sent == this.script.expectedResponses()) {
			this.finished = true;
			Status status = (this.script.code() == Status.Code.OK) ? Status.OK
					: this.script.code().toStatus().withDescription(this.script.description());
			this.call.close(status, this.fields);
		}
	}

	private boolean mayRespond() {
		return this.sent < this.script.expectedResponses() && this.received >= this.script.requestsBefore(this.sent);
	}

	private void respond() {
		if (this.sent == 0) {
			Metadata headers = new Metadata();
			headers.merge(this.fields);
			this.call.sendHeaders(headers);
		}
		this.call.sendMessage(
				Content.response(this.script, this.sent, this.checksums[this.script.requestsBefore(this.sent)]));
		this.sent++;
	}

	/**
	 * Thrown because the script says so.
	 */
	static final class ScriptedException extends RuntimeException {

		ScriptedException() {
			super("scripted", null, false, false);
		}

	}

}
