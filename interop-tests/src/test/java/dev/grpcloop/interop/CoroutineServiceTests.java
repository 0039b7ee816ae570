package dev.grpcloop.interop;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

import com.google.protobuf.ByteString;
import dev.grpcloop.engine.EventLoopServer;
import dev.grpcloop.engine.EventLoopServerBuilder;
import io.grpc.Context;
import io.grpc.Contexts;
import io.grpc.ManagedChannel;
import io.grpc.Metadata;
import io.grpc.ServerCall;
import io.grpc.ServerCallHandler;
import io.grpc.ServerInterceptor;
import io.grpc.ServerInterceptors;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.netty.NettyChannelBuilder;
import io.grpc.stub.ClientCallStreamObserver;
import io.grpc.stub.ClientResponseObserver;
import io.grpc.stub.MetadataUtils;
import io.grpc.stub.StreamObserver;
import io.grpc.testing.integration.Messages.Payload;
import io.grpc.testing.integration.Messages.ResponseParameters;
import io.grpc.testing.integration.Messages.SimpleRequest;
import io.grpc.testing.integration.Messages.StreamingInputCallRequest;
import io.grpc.testing.integration.Messages.StreamingInputCallResponse;
import io.grpc.testing.integration.Messages.StreamingOutputCallRequest;
import io.grpc.testing.integration.Messages.StreamingOutputCallResponse;
import io.grpc.testing.integration.TestServiceGrpc;
import kotlinx.coroutines.Dispatchers;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * A Kotlin service with the coroutine stubs of grpc-kotlin. On the loop its coroutines
 * run there too, else in Kotlin's own pool.
 */
@Timeout(60)
class CoroutineServiceTests {

	private static final int MESSAGES = 500;

	private EventLoopServer server;

	private ManagedChannel channel;

	private CoroutineTestService service;

	void start(Mode mode) throws Exception {
		this.service = new CoroutineTestService(
				(mode == Mode.ON_THE_LOOP) ? Dispatchers.getUnconfined() : Dispatchers.getDefault());
		this.server = mode
			.apply(EventLoopServerBuilder.forAddress(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0)))
			.addService(ServerInterceptors.intercept(this.service, new CoroutineTestService.Naming(),
					new CallerInterceptor()))
			.build()
			.start();
		this.channel = NettyChannelBuilder
			.forAddress(new InetSocketAddress(InetAddress.getLoopbackAddress(), this.server.getPort()))
			.usePlaintext()
			.build();
	}

	@AfterEach
	void stop() throws Exception {
		this.channel.shutdownNow();
		this.server.shutdownNow();
		assertThat(this.server.awaitTermination(10, TimeUnit.SECONDS)).isTrue();
	}

	@ParameterizedTest
	@EnumSource
	void answersAUnaryCall(Mode mode) throws Exception {
		start(mode);
		assertThat(say("Ada")).isEqualTo("Ada");
	}

	@ParameterizedTest
	@EnumSource
	void aFlowIsTheStreamOfAnswers(Mode mode) throws Exception {
		start(mode);
		StreamingOutputCallRequest.Builder request = StreamingOutputCallRequest.newBuilder();
		for (int i = 0; i < MESSAGES; i++) {
			request.addResponseParameters(ResponseParameters.newBuilder().setSize(i * 10));
		}
		Iterator<StreamingOutputCallResponse> responses = TestServiceGrpc.newBlockingStub(this.channel)
			.streamingOutputCall(request.build());
		for (int i = 0; i < MESSAGES; i++) {
			assertThat(responses.next().getPayload().getBody().size()).isEqualTo(i * 10);
		}
		assertThat(responses).isExhausted();
	}

	@ParameterizedTest
	@EnumSource
	void aFlowTakesTheStreamOfRequests(Mode mode) throws Exception {
		start(mode);
		Responses<StreamingInputCallResponse> responses = new Responses<>();
		StreamObserver<StreamingInputCallRequest> requests = TestServiceGrpc.newStub(this.channel)
			.streamingInputCall(responses);
		for (int i = 0; i < MESSAGES; i++) {
			requests.onNext(StreamingInputCallRequest.newBuilder().setPayload(payload("four")).build());
		}
		requests.onCompleted();
		assertThat(responses.awaitEnd()).isEqualTo(Status.Code.OK);
		assertThat(responses.messages).singleElement()
			.extracting(StreamingInputCallResponse::getAggregatedPayloadSize)
			.isEqualTo(4 * MESSAGES);
	}

	@ParameterizedTest
	@EnumSource
	void flowsGoBothWays(Mode mode) throws Exception {
		start(mode);
		Responses<StreamingOutputCallResponse> responses = new Responses<>();
		StreamObserver<StreamingOutputCallRequest> requests = TestServiceGrpc.newStub(this.channel)
			.fullDuplexCall(responses);
		for (int i = 0; i < MESSAGES; i++) {
			requests.onNext(StreamingOutputCallRequest.newBuilder().setPayload(payload("word " + i)).build());
		}
		requests.onCompleted();
		assertThat(responses.awaitEnd()).isEqualTo(Status.Code.OK);
		assertThat(responses.messages).hasSize(MESSAGES);
		assertThat(responses.messages.get(MESSAGES - 1).getPayload().getBody().toStringUtf8()).isEqualTo("word 499");
	}

	@ParameterizedTest
	@EnumSource
	void aStatusExceptionIsTheStatusOfTheCallWithItsTrailers(Mode mode) throws Exception {
		start(mode);
		assertThatExceptionOfType(StatusRuntimeException.class).isThrownBy(() -> say("absent")).satisfies((ex) -> {
			assertThat(ex.getStatus().getCode()).isEqualTo(Status.Code.NOT_FOUND);
			assertThat(ex.getStatus().getDescription()).isEqualTo("no such word");
			assertThat(ex.getTrailers()).isNotNull();
			assertThat(ex.getTrailers().get(CoroutineTestService.CALLER_HEADER)).isEqualTo("absent");
		});
		assertThat(say("Ada")).isEqualTo("Ada");
	}

	@ParameterizedTest
	@EnumSource
	void anyOtherExceptionIsUnknown(Mode mode) throws Exception {
		start(mode);
		assertThatExceptionOfType(StatusRuntimeException.class).isThrownBy(() -> say("broken"))
			.satisfies((ex) -> assertThat(ex.getStatus().getCode()).isEqualTo(Status.Code.UNKNOWN));
		assertThat(say("Ada")).isEqualTo("Ada");
	}

	@ParameterizedTest
	@EnumSource
	void anExceptionInTheMiddleEndsBothFlows(Mode mode) throws Exception {
		start(mode);
		Responses<StreamingOutputCallResponse> responses = new Responses<>();
		StreamObserver<StreamingOutputCallRequest> requests = TestServiceGrpc.newStub(this.channel)
			.fullDuplexCall(responses);
		for (String word : List.of("Ada", "absent")) {
			requests.onNext(StreamingOutputCallRequest.newBuilder().setPayload(payload(word)).build());
		}
		assertThat(responses.awaitEnd()).isEqualTo(Status.Code.NOT_FOUND);
		assertThat(responses.messages).hasSize(1);
	}

	@ParameterizedTest
	@EnumSource
	void aCancelReachesTheCoroutine(Mode mode) throws Exception {
		start(mode);
		Context.CancellableContext call = Context.current().withCancellation();
		call.run(() -> TestServiceGrpc.newFutureStub(this.channel).unaryCall(request("wait")));
		this.service.waiting.get(30, TimeUnit.SECONDS);
		call.cancel(null);
		this.service.cancelled.get(30, TimeUnit.SECONDS);
	}

	@ParameterizedTest
	@EnumSource
	void aCancelReachesTheFlow(Mode mode) throws Exception {
		start(mode);
		Responses<StreamingOutputCallResponse> responses = new Responses<>();
		TestServiceGrpc.newStub(this.channel)
			.streamingOutputCall(StreamingOutputCallRequest.newBuilder()
				.addResponseParameters(ResponseParameters.newBuilder().setSize(1))
				.setPayload(payload("wait"))
				.build(), responses);
		this.service.waiting.get(30, TimeUnit.SECONDS);
		responses.call.cancel("enough", null);
		this.service.cancelled.get(30, TimeUnit.SECONDS);
	}

	@ParameterizedTest
	@EnumSource
	void theContextOfAnInterceptorIsCurrentBeforeAndAfterASuspension(Mode mode) throws Exception {
		start(mode);
		assertThat(say("context")).isEqualTo("Grace Grace");
	}

	@ParameterizedTest
	@EnumSource
	void anInterceptorAddsToTheContextOfTheCoroutine(Mode mode) throws Exception {
		start(mode);
		assertThat(say("name")).isEqualTo("call of Grace");
	}

	private String say(String word) {
		Metadata headers = new Metadata();
		headers.put(CoroutineTestService.CALLER_HEADER, "Grace");
		return TestServiceGrpc.newBlockingStub(this.channel)
			.withInterceptors(MetadataUtils.newAttachHeadersInterceptor(headers))
			.unaryCall(request(word))
			.getPayload()
			.getBody()
			.toStringUtf8();
	}

	private static SimpleRequest request(String word) {
		return SimpleRequest.newBuilder().setPayload(payload(word)).build();
	}

	private static Payload payload(String word) {
		return Payload.newBuilder().setBody(ByteString.copyFromUtf8(word)).build();
	}

	/** Puts the caller into the context of each call. */
	private static final class CallerInterceptor implements ServerInterceptor {

		@Override
		public <Q, R> ServerCall.Listener<Q> interceptCall(ServerCall<Q, R> call, Metadata headers,
				ServerCallHandler<Q, R> next) {
			String caller = headers.get(CoroutineTestService.CALLER_HEADER);
			return Contexts.interceptCall(Context.current().withValue(CoroutineTestService.CALLER, caller), call,
					headers, next);
		}

	}

	private static final class Responses<R> implements ClientResponseObserver<Object, R> {

		private final List<R> messages = Collections.synchronizedList(new ArrayList<>());

		private final CompletableFuture<Status.Code> end = new CompletableFuture<>();

		private ClientCallStreamObserver<?> call;

		@Override
		public void beforeStart(ClientCallStreamObserver<Object> call) {
			this.call = call;
		}

		@Override
		public void onNext(R response) {
			this.messages.add(response);
		}

		@Override
		public void onError(Throwable ex) {
			this.end.complete(Status.fromThrowable(ex).getCode());
		}

		@Override
		public void onCompleted() {
			this.end.complete(Status.Code.OK);
		}

		private Status.Code awaitEnd() throws Exception {
			return this.end.get(30, TimeUnit.SECONDS);
		}

	}

}
