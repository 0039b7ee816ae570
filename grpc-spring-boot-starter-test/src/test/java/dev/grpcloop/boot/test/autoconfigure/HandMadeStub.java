package dev.grpcloop.boot.test.autoconfigure;

import io.grpc.CallOptions;
import io.grpc.Channel;
import io.grpc.stub.AbstractStub;

/** Has no method that makes it from a channel alone. */
class HandMadeStub extends AbstractStub<HandMadeStub> {

	HandMadeStub(Channel channel, CallOptions options) {
		super(channel, options);
	}

	@Override
	protected HandMadeStub build(Channel channel, CallOptions options) {
		return new HandMadeStub(channel, options);
	}

}
