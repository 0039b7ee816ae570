package dev.grpcloop.engine.message;

import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;

import io.grpc.Status;
import org.jspecify.annotations.Nullable;

/**
 * A decompressed message that must not exceed a size, however small its compressed form
 * was (case B05).
 */
public final class LimitedInputStream extends FilterInputStream {

	/** A message up to this size costs what any call costs. */
	private static final int FREE = 16 * 1024;

	private static final int STEP = 64 * 1024;

	private final int limit;

	private @Nullable Growth growth;

	private long count;

	/** How much may be read before there must be room for more. */
	private long room = FREE;

	private @Nullable Exception failure;

	/**
	 * Creates the stream.
	 * @param in the decompressed bytes
	 * @param limit the largest size allowed, in bytes
	 * @param growth finds the room for a large message, or {@code null}
	 */
	public LimitedInputStream(InputStream in, int limit, @Nullable Growth growth) {
		super(in);
		this.limit = limit;
		this.growth = growth;
	}

	@Override
	public int read() throws IOException {
		try {
			int next = super.read();
			if (next >= 0) {
				count(1);
			}
			return next;
		}
		catch (IOException ex) {
			throw failed(ex);
		}
	}

	@Override
	public int read(byte[] target, int offset, int length) throws IOException {
		try {
			int read = super.read(target, offset, length);
			if (read > 0) {
				count(read);
			}
			return read;
		}
		catch (IOException ex) {
			throw failed(ex);
		}
	}

	@Override
	public long skip(long n) throws IOException {
		try {
			long skipped = super.skip(n);
			count(skipped);
			return skipped;
		}
		catch (IOException ex) {
			throw failed(ex);
		}
	}

	@Override
	public boolean markSupported() {
		return false;
	}

	/**
	 * Reads what is left of the message, so that a size above the limit is noticed though
	 * its content was refused before. {@link #failure()} tells what was found.
	 */
	public void readToEnd() {
		// nobody keeps what is read
		this.growth = null;
		byte[] rest = new byte[8192];
		try {
			while (this.failure == null && read(rest, 0, rest.length) >= 0) {
				// the limit ends it
			}
		}
		catch (IOException | RuntimeException ex) {
			this.failure = (this.failure != null) ? this.failure : ex;
		}
	}

	/**
	 * Returns how many bytes were read so far.
	 * @return the number of bytes
	 */
	public long count() {
		return this.count;
	}

	/**
	 * Returns why the stream could not be read to its end. A marshaller may wrap what it
	 * catches in an exception of its own.
	 * @return what was thrown, or {@code null}
	 */
	public @Nullable Exception failure() {
		return this.failure;
	}

	private void count(long bytes) {
		this.count += bytes;
		if (this.count > this.limit) {
			throw failed(Status.RESOURCE_EXHAUSTED
				.withDescription("Decompressed gRPC message exceeds maximum size " + this.limit)
				.asRuntimeException());
		}
		if (this.count > this.room && this.growth != null) {
			grow(this.growth);
		}
	}

	private void grow(Growth growth) {
		long wanted = (this.count / STEP + 1) * STEP;
		try {
			growth.grow(wanted - ((this.room > FREE) ? this.room : 0));
		}
		catch (RuntimeException ex) {
			throw failed(ex);
		}
		this.room = wanted;
	}

	private <X extends Exception> X failed(X failure) {
		this.failure = failure;
		return failure;
	}

	/**
	 * Finds the room for a message whose size shows only as it is decompressed.
	 */
	public interface Growth {

		/**
		 * The message becomes larger.
		 * @param bytes by how many bytes
		 * @throws RuntimeException if there is no room; nothing more is decompressed
		 */
		void grow(long bytes);

	}

}
