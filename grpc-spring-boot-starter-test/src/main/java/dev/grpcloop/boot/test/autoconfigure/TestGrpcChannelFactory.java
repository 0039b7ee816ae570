package dev.grpcloop.boot.test.autoconfigure;

import java.util.List;

import io.grpc.ChannelCredentials;
import io.grpc.inprocess.InProcessChannelBuilder;

import org.springframework.grpc.client.ClientInterceptorsConfigurer;
import org.springframework.grpc.client.DefaultGrpcChannelFactory;

/**
 * Makes channels that lead to the test's server, whatever their target.
 */
final class TestGrpcChannelFactory extends DefaultGrpcChannelFactory<InProcessChannelBuilder> {

	/**
	 * A factory of channels to one server.
	 * @param server the name of the server
	 * @param interceptors adds the client interceptors of the application
	 */
	TestGrpcChannelFactory(String server, ClientInterceptorsConfigurer interceptors) {
		super(List.of(), interceptors);
		setVirtualTargets((target) -> server);
	}

	@Override
	public boolean supports(String target) {
		return true;
	}

	@Override
	protected InProcessChannelBuilder newChannelBuilder(String target, ChannelCredentials credentials) {
		return InProcessChannelBuilder.forName(target);
	}

}
