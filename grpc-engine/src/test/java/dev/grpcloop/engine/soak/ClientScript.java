package dev.grpcloop.engine.soak;

import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

import com.google.protobuf.BytesValue;
import io.grpc.CallOptions;
import io.grpc.Channel;
import io.grpc.ClientCall;
import io.grpc.Metadata;
import io.grpc.Status;

/**
 * The client's part of a script.
 */
final class ClientScript extends ClientCall.Listener<BytesValue> {

	/** A call that is not at its end by then hangs. */
	private static final int PATIENCE_SECONDS = 60;

	private final CallRecord record;

	private final Script script;

	private final ClientCall<BytesValue, BytesValue> call;

	private final ScheduledExecutorService timer;

	private final Runnable whenEnded;

	private final long[] checksums;

	private int sent;

	private boolean halfClosed;

	private boolean over;

	ClientScript(CallRecord record, Channel channel, ScheduledExecutorService timer, Runnable whenEnded) {
		this.record = record;
		this.script = record.script();
		this.timer = timer;
		this.whenEnded = whenEnded;
		this.checksums = new long[this.script.requests().length + 1];
		CallOptions options = CallOptions.DEFAULT;
		options = (this.script.interruption() == Script.Interruption.DEADLINE)
				? options.withDeadlineAfter(this.script.interruptedAt(), TimeUnit.MILLISECONDS)
				: options.withDeadlineAfter(PATIENCE_SECONDS, TimeUnit.SECONDS);
		if (this.script.compressed()) {
			options = options.withCompression("gzip");
		}
		if (this.script.waitForReady()) {
			options = options.withWaitForReady();
		}
		this.call = channel.newCall(this.script.kind().method, options);
	}

	synchronized void start() {
		Metadata headers = Content.metadata(this.script);
		headers.put(Content.ID, Long.toString(this.script.id()));
		this.call.start(this, headers);
		this.call.setMessageCompression(true);
		this.call.request(this.script.clientWindow());
		switch (this.script.interruption()) {
			case CANCEL_AT_ONCE -> cancel();
			case CANCEL_LATER -> {
				this.timer.schedule(this::cancel, this.script.interruptedAt(), TimeUnit.MILLISECONDS);
				send();
			}
			default -> send();
		}
	}

	private synchronized void cancel() {
		if (!this.over) {
			this.over = true;
			this.call.cancel("the script says so", null);
		}
	}

	private void send() {
		while (!this.over && this.sent < this.script.requests().length
				&& (this.call.isReady() || !this.script.clientHeedsReady())) {
			BytesValue request = Content.request(this.script, this.sent);
			this.checksums[this.sent + 1] = Content.checksum(this.checksums[this.sent], request);
			this.sent++;
			this.call.sendMessage(request);
			if (this.script.interruption() == Script.Interruption.CANCEL_WHILE_SENDING
					&& this.sent >= this.script.interruptedAt() % (this.script.requests().length + 1)) {
				cancel();
			}
		}
		if (!this.over && !this.halfClosed && this.sent == this.script.requests().length) {
			this.halfClosed = true;
			this.call.halfClose();
		}
	}

	@Override
	public synchronized void onReady() {
		send();
	}

	@Override
	public void onHeaders(Metadata headers) {
		if (!Content.isComplete(this.script, headers)) {
			this.record.fault("metadata was lost on the way to the client");
		}
	}

	@Override
	public synchronized void onMessage(BytesValue message) {
		int index = this.record.responses.getAndIncrement();
		if (index >= this.script.expectedResponses() || this.script.requestsBefore(index) > this.sent || !message
			.equals(Content.response(this.script, index, this.checksums[this.script.requestsBefore(index)]))) {
			this.record.fault("response " + index + " is wrong, with " + message.getValue().size() + " bytes");
		}
		if (this.script.interruption() == Script.Interruption.CANCEL_WHILE_RECEIVING
				&& index >= this.script.interruptedAt() % (this.script.responses().length + 1)) {
			cancel();
		}
		if (!this.over) {
			this.call.request(1);
		}
	}

	@Override
	public void onClose(Status status, Metadata trailers) {
		synchronized (this) {
			this.over = true;
		}
		this.record.clientEnded(status, trailers);
		this.whenEnded.run();
	}

}
