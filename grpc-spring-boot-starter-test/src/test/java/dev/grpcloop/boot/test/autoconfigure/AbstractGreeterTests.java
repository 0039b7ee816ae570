package dev.grpcloop.boot.test.autoconfigure;

import dev.grpcloop.boot.test.v1.GreeterGrpc;

import org.springframework.beans.factory.annotation.Autowired;

/** Has no annotation that tells it from a bean. */
abstract class AbstractGreeterTests {

	@Autowired
	protected GreeterGrpc.GreeterBlockingStub inherited;

}
