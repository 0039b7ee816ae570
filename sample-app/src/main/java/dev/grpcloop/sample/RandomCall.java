package dev.grpcloop.sample;

import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;

import helloworld.v1.GreeterGrpc;
import helloworld.v1.GreeterHelloRepeatedlyRequest;
import helloworld.v1.GreeterHelloRequest;
import helloworld.v1.GreeterHelloResponse;
import io.grpc.CallOptions;
import io.grpc.Channel;
import io.grpc.MethodDescriptor;
import io.grpc.stub.ClientCalls;
import io.grpc.stub.StreamObserver;

/**
 * A call as clients make them: most are fine, some take long, are wrong, come too late or
 * are given up.
 */
final class RandomCall {

	/** A method that the service does not have, as an old client might call. */
	private static final MethodDescriptor<GreeterHelloRequest, GreeterHelloResponse> UNKNOWN = GreeterGrpc
		.getHelloMethod()
		.toBuilder()
		.setFullMethodName(MethodDescriptor.generateFullMethodName(GreeterGrpc.SERVICE_NAME, "Goodbye"))
		.build();

	private static final long DEADLINE_MILLIS = 250;

	private final Channel channel;

	private final GreeterGrpc.GreeterStub greeter;

	private final ScheduledExecutorService scheduler;

	RandomCall(Channel channel, ScheduledExecutorService scheduler) {
		this.channel = channel;
		this.greeter = GreeterGrpc.newStub(channel);
		this.scheduler = scheduler;
	}

	/**
	 * Begins one call.
	 * @param ended runs when it has ended, however it did
	 */
	void begin(Runnable ended) {
		StreamObserver<GreeterHelloResponse> responses = new EndObserver(ended);
		int lot = ThreadLocalRandom.current().nextInt(1000);
		if (lot < 850) {
			this.greeter.hello(request(), responses);
		}
		else if (lot < 930) {
			this.greeter.helloRepeatedly(repeated(ThreadLocalRandom.current().nextInt(1, 100)), responses);
		}
		else if (lot < 970) {
			sendTogether(responses);
		}
		else if (lot < 980) {
			converse(responses);
		}
		else if (lot < 990) {
			this.greeter.helloRepeatedly(repeated(-1), responses);
		}
		else if (lot < 995) {
			ClientCalls.asyncUnaryCall(this.channel.newCall(UNKNOWN, CallOptions.DEFAULT), request(), responses);
		}
		else if (lot < 998) {
			this.greeter.withDeadlineAfter(DEADLINE_MILLIS, TimeUnit.MILLISECONDS).helloTogether(responses);
		}
		else {
			giveUp(responses);
		}
	}

	private void sendTogether(StreamObserver<GreeterHelloResponse> responses) {
		StreamObserver<GreeterHelloRequest> requests = this.greeter.helloTogether(responses);
		for (int i = 0; i < 5; i++) {
			requests.onNext(request());
		}
		requests.onCompleted();
	}

	/** A call that lasts a second. */
	private void converse(StreamObserver<GreeterHelloResponse> responses) {
		StreamObserver<GreeterHelloRequest> requests = this.greeter.helloEach(responses);
		for (int i = 0; i < 4; i++) {
			this.scheduler.schedule(() -> requests.onNext(request()), 250L * i, TimeUnit.MILLISECONDS);
		}
		this.scheduler.schedule(requests::onCompleted, 1, TimeUnit.SECONDS);
	}

	private void giveUp(StreamObserver<GreeterHelloResponse> responses) {
		StreamObserver<GreeterHelloRequest> requests = this.greeter.helloTogether(responses);
		requests.onNext(request());
		Exception reason = new Exception("given up");
		this.scheduler.schedule(() -> requests.onError(reason), DEADLINE_MILLIS, TimeUnit.MILLISECONDS);
	}

	private static GreeterHelloRequest request() {
		return GreeterHelloRequest.newBuilder().setName("Ada").build();
	}

	private static GreeterHelloRepeatedlyRequest repeated(int times) {
		return GreeterHelloRepeatedlyRequest.newBuilder().setName("Ada").setTimes(times).build();
	}

	/**
	 * Takes responses and waits for the end.
	 *
	 * @param ended runs at the end
	 */
	private record EndObserver(Runnable ended) implements StreamObserver<GreeterHelloResponse> {

		@Override
		public void onNext(GreeterHelloResponse response) {
			// nobody reads the greetings
		}

		@Override
		public void onError(Throwable failure) {
			this.ended.run();
		}

		@Override
		public void onCompleted() {
			this.ended.run();
		}

	}

}
