package dev.grpcloop.boot;

import java.net.SocketAddress;

import io.grpc.Attributes;
import io.grpc.Deadline;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import org.jspecify.annotations.Nullable;

/**
 * The call that a method of a {@link GrpcController} serves: an optional parameter, at
 * any place. It may be kept for as long as the call lasts.
 */
public interface GrpcCallContext {

	/**
	 * The metadata that the client has sent, which a parameter of type {@link Metadata}
	 * gives as well.
	 * @return the headers of the request
	 */
	Metadata requestHeaders();

	/**
	 * Metadata that goes out before the first response. What is added after that is lost,
	 * and so is all of it where the call fails without a response.
	 * @return the headers of the response, to be added to by one thread at a time
	 */
	Metadata responseHeaders();

	/**
	 * Metadata that goes out with the status, whatever it is.
	 * @return the trailers of the response, to be added to by one thread at a time
	 */
	Metadata responseTrailers();

	/**
	 * Compresses the responses if the client accepts it. To be called before the first
	 * response.
	 * @param compressor a name of the server's compressor registry, such as {@code gzip}
	 * @throws IllegalArgumentException if there is no such compressor
	 * @throws IllegalStateException if headers were sent
	 */
	void compression(String compressor);

	/**
	 * Whether the responses from here on are compressed, where {@link #compression} has
	 * chosen how. Default: they are.
	 * @param enabled {@code false} for messages that do not shrink
	 */
	void messageCompression(boolean enabled);

	/**
	 * When the client stops waiting.
	 * @return the deadline, or {@code null} if there is none
	 */
	@Nullable Deadline deadline();

	/**
	 * Where the call comes from.
	 * @return the address of the client, or {@code null} if its transport has none
	 */
	@Nullable SocketAddress peer();

	/**
	 * The host that the client has called.
	 * @return the authority, or {@code null} if its transport has none
	 */
	@Nullable String authority();

	/**
	 * What is known of the connection.
	 * @return the attributes of the call
	 * @see io.grpc.Grpc
	 */
	Attributes attributes();

	/**
	 * The RPC.
	 * @return the descriptor of the method
	 */
	MethodDescriptor<?, ?> method();

	/**
	 * Whether nobody waits for responses any more: the client has cancelled the call, its
	 * deadline has passed, or the connection is lost.
	 * @return whether the call was cancelled
	 */
	boolean isCancelled();

}
