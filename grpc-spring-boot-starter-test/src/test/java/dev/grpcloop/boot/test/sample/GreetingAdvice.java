package dev.grpcloop.boot.test.sample;

import io.grpc.Status;

import org.springframework.grpc.server.advice.GrpcAdvice;
import org.springframework.grpc.server.advice.GrpcExceptionHandler;

@GrpcAdvice
public class GreetingAdvice {

	@GrpcExceptionHandler
	public Status unknownName(IllegalArgumentException failure) {
		return Status.NOT_FOUND.withDescription(failure.getMessage());
	}

}
