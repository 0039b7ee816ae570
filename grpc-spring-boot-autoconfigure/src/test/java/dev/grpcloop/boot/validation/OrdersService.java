package dev.grpcloop.boot.validation;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;

import dev.grpcloop.boot.test.orders.v1.Order;
import dev.grpcloop.boot.test.orders.v1.OrdersGrpc;
import dev.grpcloop.boot.test.orders.v1.Receipt;
import io.grpc.stub.ServerCallStreamObserver;
import io.grpc.stub.StreamObserver;

import org.springframework.grpc.server.service.GrpcService;

/**
 * Takes orders and remembers which it has seen, and how its streams ended.
 */
@GrpcService
class OrdersService extends OrdersGrpc.OrdersImplBase {

	final List<Order> seen = new CopyOnWriteArrayList<>();

	final List<CompletableFuture<Throwable>> streams = new CopyOnWriteArrayList<>();

	@Override
	public void place(Order order, StreamObserver<Receipt> responses) {
		this.seen.add(order);
		responses.onNext(Receipt.newBuilder().setOrders(1).build());
		responses.onCompleted();
	}

	@Override
	public void track(Order order, StreamObserver<Receipt> responses) {
		this.seen.add(order);
		responses.onNext(Receipt.newBuilder().setOrders(1).build());
		responses.onNext(Receipt.newBuilder().setOrders(2).build());
		responses.onCompleted();
	}

	@Override
	public StreamObserver<Order> placeAll(StreamObserver<Receipt> responses) {
		List<Order> orders = new ArrayList<>();
		return observer(responses, orders::add,
				() -> responses.onNext(Receipt.newBuilder().setOrders(orders.size()).build()));
	}

	@Override
	public StreamObserver<Order> discuss(StreamObserver<Receipt> responses) {
		return observer(responses, (order) -> responses.onNext(Receipt.newBuilder().setOrders(1).build()), () -> {
		});
	}

	@Override
	public void count(Receipt request, StreamObserver<Receipt> responses) {
		responses.onNext(request);
		responses.onCompleted();
	}

	private StreamObserver<Order> observer(StreamObserver<Receipt> responses,
			java.util.function.Consumer<Order> message, Runnable end) {
		CompletableFuture<Throwable> failure = new CompletableFuture<>();
		this.streams.add(failure);
		return new StreamObserver<>() {

			@Override
			public void onNext(Order order) {
				OrdersService.this.seen.add(order);
				message.accept(order);
			}

			@Override
			public void onError(Throwable ex) {
				// many services answer even then
				responses.onError(ex);
				if (((ServerCallStreamObserver<?>) responses).isCancelled()) {
					failure.complete(ex);
				}
			}

			@Override
			public void onCompleted() {
				end.run();
				responses.onCompleted();
			}

		};
	}

}
