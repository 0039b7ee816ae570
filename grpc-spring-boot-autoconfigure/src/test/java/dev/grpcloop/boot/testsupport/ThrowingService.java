package dev.grpcloop.boot.testsupport;

import java.util.function.Supplier;

import dev.grpcloop.boot.test.v1.FarewellGrpc;
import dev.grpcloop.boot.test.v1.HelloRequest;
import dev.grpcloop.boot.test.v1.HelloResponse;
import io.grpc.Channel;
import io.grpc.StatusRuntimeException;
import io.grpc.stub.StreamObserver;

import org.springframework.context.ApplicationContext;
import org.springframework.grpc.server.service.GrpcService;

import static org.assertj.core.api.Assertions.catchThrowableOfType;

/**
 * Fails as a test tells it to, in the way that the request names.
 */
@GrpcService
public class ThrowingService extends FarewellGrpc.FarewellImplBase {

	private volatile Supplier<? extends Exception> failure = IllegalStateException::new;

	@Override
	public void bye(HelloRequest request, StreamObserver<HelloResponse> responses) {
		switch (request.getName()) {
			case "throw" -> raise(this.failure.get());
			case "answer and throw" -> {
				responses.onNext(GreeterService.greeting("all"));
				responses.onCompleted();
				raise(this.failure.get());
			}
			case "on another thread" -> new Thread(() -> responses.onError(this.failure.get())).start();
			default -> responses.onError(this.failure.get());
		}
	}

	@SuppressWarnings("unchecked")
	public static <T extends Throwable> void raise(Throwable exception) throws T {
		throw (T) exception;
	}

	/**
	 * Has the service of an application fail.
	 * @param context the application
	 * @param channel leads to its server
	 * @param way how to pass the exception on
	 * @param failure makes the exception
	 * @return what the client gets
	 */
	public static StatusRuntimeException fail(ApplicationContext context, Channel channel, String way,
			Supplier<? extends Exception> failure) {
		context.getBean(ThrowingService.class).failure = failure;
		return catchThrowableOfType(StatusRuntimeException.class,
				() -> FarewellGrpc.newBlockingStub(channel).bye(GreeterService.request(way)));
	}

}
