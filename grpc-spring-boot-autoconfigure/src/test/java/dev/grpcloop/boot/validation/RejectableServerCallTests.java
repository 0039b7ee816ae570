package dev.grpcloop.boot.validation;

import java.util.ArrayList;
import java.util.List;

import dev.grpcloop.boot.test.orders.v1.Order;
import dev.grpcloop.boot.test.orders.v1.OrdersGrpc;
import dev.grpcloop.boot.test.orders.v1.Receipt;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import io.grpc.ServerCall;
import io.grpc.Status;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Calls that end because of a request, while the service sends.
 */
class RejectableServerCallTests {

	private final RecordingCall recording = new RecordingCall();

	private final RejectableServerCall<Order, Receipt> call = new RejectableServerCall<>(this.recording);

	@Test
	void whatTheServiceSendsPasses() {
		this.call.sendHeaders(new Metadata());
		this.call.sendMessage(Receipt.getDefaultInstance());
		this.call.close(Status.OK, new Metadata());
		assertThat(this.recording.sent).containsExactly("headers", "message", "OK");
		assertThat(this.call.isCancelled()).isFalse();
	}

	@Test
	void whatItSendsAfterARejectionIsDropped() {
		this.call.sendHeaders(new Metadata());
		this.call.reject(Status.INVALID_ARGUMENT.asException());
		this.call.sendHeaders(new Metadata());
		this.call.sendMessage(Receipt.getDefaultInstance());
		this.call.close(Status.OK, new Metadata());
		assertThat(this.recording.sent).containsExactly("headers", "INVALID_ARGUMENT");
		assertThat(this.call.isCancelled()).isTrue();
		assertThat(this.call.isReady()).isFalse();
	}

	@Test
	void aRejectionInTheMiddleOfAMessageWaitsForIt() {
		this.recording.meanwhile = () -> this.call.reject(Status.INVALID_ARGUMENT.asException());
		this.call.sendMessage(Receipt.getDefaultInstance());
		assertThat(this.recording.sent).containsExactly("message", "INVALID_ARGUMENT");
	}

	@Test
	void aRejectionInTheMiddleOfTheEndComesTooLate() {
		this.recording.meanwhile = () -> this.call.reject(Status.INVALID_ARGUMENT.asException());
		this.call.close(Status.OK, new Metadata());
		this.call.reject(Status.INVALID_ARGUMENT.asException());
		assertThat(this.recording.sent).containsExactly("OK");
	}

	@Test
	void whatIsSentWithinASendPasses() {
		this.recording.meanwhile = () -> {
			this.recording.meanwhile = () -> {
			};
			this.call.sendMessage(Receipt.getDefaultInstance());
		};
		this.call.sendMessage(Receipt.getDefaultInstance());
		this.call.reject(Status.INVALID_ARGUMENT.asException());
		assertThat(this.recording.sent).containsExactly("message", "message", "INVALID_ARGUMENT");
	}

	private static final class RecordingCall extends ServerCall<Order, Receipt> {

		private final List<String> sent = new ArrayList<>();

		private Runnable meanwhile = () -> {
		};

		private void send(String what) {
			this.meanwhile.run();
			this.sent.add(what);
		}

		@Override
		public void sendHeaders(Metadata headers) {
			send("headers");
		}

		@Override
		public void sendMessage(Receipt message) {
			send("message");
		}

		@Override
		public void close(Status status, Metadata trailers) {
			send(status.getCode().name());
		}

		@Override
		public void request(int numMessages) {
			// not asked for any
		}

		@Override
		public boolean isReady() {
			return true;
		}

		@Override
		public boolean isCancelled() {
			return false;
		}

		@Override
		public MethodDescriptor<Order, Receipt> getMethodDescriptor() {
			return OrdersGrpc.getDiscussMethod();
		}

	}

}
