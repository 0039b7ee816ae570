package dev.grpcloop.engine.message;

import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;

import io.grpc.Status;

/**
 * A decompressed message that must not exceed a size, however small its compressed form
 * was (case B05).
 */
public final class LimitedInputStream extends FilterInputStream {

	private final int limit;

	private long count;

	/**
	 * Creates the stream.
	 * @param in the decompressed bytes
	 * @param limit the largest size allowed, in bytes
	 */
	public LimitedInputStream(InputStream in, int limit) {
		super(in);
		this.limit = limit;
	}

	@Override
	public int read() throws IOException {
		int next = super.read();
		if (next >= 0) {
			count(1);
		}
		return next;
	}

	@Override
	public int read(byte[] target, int offset, int length) throws IOException {
		int read = super.read(target, offset, length);
		if (read > 0) {
			count(read);
		}
		return read;
	}

	@Override
	public long skip(long n) throws IOException {
		long skipped = super.skip(n);
		count(skipped);
		return skipped;
	}

	@Override
	public boolean markSupported() {
		return false;
	}

	/**
	 * Returns how many bytes were read so far.
	 * @return the number of bytes
	 */
	public long count() {
		return this.count;
	}

	private void count(long bytes) {
		this.count += bytes;
		if (this.count > this.limit) {
			throw Status.RESOURCE_EXHAUSTED
				.withDescription("Decompressed gRPC message exceeds maximum size " + this.limit)
				.asRuntimeException();
		}
	}

}
