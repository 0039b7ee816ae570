package dev.grpcloop.boot.test.autoconfigure;

import io.grpc.CallOptions;
import io.grpc.Channel;
import io.grpc.stub.AbstractStub;

/** As grpc-kotlin generates them. */
public class StubWithConstructor extends AbstractStub<StubWithConstructor> {

	public StubWithConstructor(Channel channel) {
		super(channel, CallOptions.DEFAULT);
	}

	@Override
	protected StubWithConstructor build(Channel channel, CallOptions options) {
		return new StubWithConstructor(channel);
	}

}
