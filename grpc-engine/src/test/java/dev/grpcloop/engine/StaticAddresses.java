package dev.grpcloop.engine;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.util.List;
import java.util.stream.IntStream;

import io.grpc.EquivalentAddressGroup;
import io.grpc.NameResolver;
import io.grpc.NameResolverProvider;
import io.grpc.NameResolverRegistry;
import io.grpc.StatusOr;

/**
 * A target that means several ports of the loopback address, for as long as it is open.
 */
final class StaticAddresses extends NameResolverProvider implements AutoCloseable {

	private final List<EquivalentAddressGroup> addresses;

	StaticAddresses(int... ports) {
		this.addresses = IntStream.of(ports)
			.mapToObj(
					(port) -> new EquivalentAddressGroup(new InetSocketAddress(InetAddress.getLoopbackAddress(), port)))
			.toList();
		NameResolverRegistry.getDefaultRegistry().register(this);
	}

	String target() {
		return getDefaultScheme() + ":///servers";
	}

	@Override
	public NameResolver newNameResolver(URI target, NameResolver.Args args) {
		return getDefaultScheme().equals(target.getScheme()) ? new Resolver() : null;
	}

	@Override
	protected boolean isAvailable() {
		return true;
	}

	@Override
	protected int priority() {
		return 0;
	}

	@Override
	public String getDefaultScheme() {
		return "static-addresses";
	}

	@Override
	public void close() {
		NameResolverRegistry.getDefaultRegistry().deregister(this);
	}

	private final class Resolver extends NameResolver {

		@Override
		public String getServiceAuthority() {
			return "localhost";
		}

		@Override
		public void start(Listener2 listener) {
			listener.onResult(ResolutionResult.newBuilder()
				.setAddressesOrError(StatusOr.fromValue(StaticAddresses.this.addresses))
				.build());
		}

		@Override
		public void shutdown() {
		}

	}

}
