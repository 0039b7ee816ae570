package dev.grpcloop.engine.call;

import java.nio.charset.StandardCharsets;

import com.google.protobuf.MessageLite;
import dev.grpcloop.engine.message.MessageDeframer;
import dev.grpcloop.engine.message.MessageFramer;
import io.grpc.Codec;
import io.grpc.Compressor;
import io.grpc.CompressorRegistry;
import org.jspecify.annotations.Nullable;

/**
 * Turns the response messages of one call into bytes, compressed if the service wants it
 * and the client understands it. Used by the thread that sends.
 *
 * @param <R> the type of the responses
 */
final class ResponseMessages<R> {

	private final MethodRoute<?, R> route;

	private final CompressorRegistry compressors;

	private final @Nullable String acceptEncoding;

	private @Nullable MeasuringCompressor compressor;

	private boolean messageCompression = true;

	ResponseMessages(MethodRoute<?, R> route, CompressorRegistry compressors, @Nullable String acceptEncoding) {
		this.route = route;
		this.compressors = compressors;
		this.acceptEncoding = acceptEncoding;
	}

	void setCompression(String name) {
		Compressor found = this.compressors.lookupCompressor(name);
		if (found == null) {
			throw new IllegalArgumentException("Unable to find compressor by name " + name);
		}
		this.compressor = (found != Codec.Identity.NONE) ? new MeasuringCompressor(found) : null;
	}

	void setMessageCompression(boolean enabled) {
		this.messageCompression = enabled;
	}

	/**
	 * Decides on the encoding; no compression if the client does not understand what the
	 * service wants.
	 * @return what to write as grpc-encoding, or {@code null}
	 */
	byte @Nullable [] negotiate() {
		Compressor wanted = this.compressor;
		if (wanted == null || !accepts(wanted.getMessageEncoding())) {
			this.compressor = null;
			return null;
		}
		return wanted.getMessageEncoding().getBytes(StandardCharsets.US_ASCII);
	}

	private boolean accepts(String encoding) {
		if (this.acceptEncoding == null) {
			return false;
		}
		for (String accepted : this.acceptEncoding.split(",")) {
			if (accepted.trim().equals(encoding)) {
				return true;
			}
		}
		return false;
	}

	/**
	 * Frames a message into memory that the next message will use again.
	 * @return the framed length, or -1 if this message needs memory of its own
	 */
	int frameInto(R message, byte[] scratch) {
		if (!this.route.protobufResponse() || this.compressor != null) {
			return -1;
		}
		return MessageFramer.frameInto((MessageLite) message, scratch);
	}

	/**
	 * Frames a message.
	 */
	byte[] frame(R message) {
		Compressor used = this.messageCompression ? this.compressor : null;
		if (used == null && this.route.protobufResponse()) {
			return MessageFramer.frame((MessageLite) message);
		}
		return MessageFramer.frame(this.route.descriptor().getResponseMarshaller(), message, used);
	}

	/**
	 * The length before it was compressed of the message framed last.
	 * @param framed the framed message
	 * @param length its framed length
	 * @return the length in bytes
	 */
	long uncompressedLength(byte[] framed, int length) {
		boolean compressed = this.compressor != null && framed[0] != 0;
		return compressed ? this.compressor.bytes() : length - MessageDeframer.PREFIX_LENGTH;
	}

}
