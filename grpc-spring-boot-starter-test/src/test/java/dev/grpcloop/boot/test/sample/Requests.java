package dev.grpcloop.boot.test.sample;

import dev.grpcloop.boot.test.v1.HelloRequest;

/** Messages that the tests send. */
public final class Requests {

	public static final HelloRequest ADA = HelloRequest.newBuilder().setName("Ada").build();

	private Requests() {
	}

}
