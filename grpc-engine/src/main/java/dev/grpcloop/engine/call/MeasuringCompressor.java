package dev.grpcloop.engine.call;

import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.OutputStream;

import io.grpc.Compressor;

/**
 * Remembers how long a message was before it was compressed, for those who trace the
 * call. Used by the thread that sends.
 */
final class MeasuringCompressor implements Compressor {

	private final Compressor delegate;

	private long bytes;

	MeasuringCompressor(Compressor delegate) {
		this.delegate = delegate;
	}

	@Override
	public String getMessageEncoding() {
		return this.delegate.getMessageEncoding();
	}

	@Override
	public OutputStream compress(OutputStream target) throws IOException {
		this.bytes = 0;
		return new Measured(this.delegate.compress(target));
	}

	/**
	 * Returns the length of the message compressed last.
	 * @return the length in bytes
	 */
	long bytes() {
		return this.bytes;
	}

	private final class Measured extends FilterOutputStream {

		Measured(OutputStream compressed) {
			super(compressed);
		}

		@Override
		public void write(int octet) throws IOException {
			this.out.write(octet);
			MeasuringCompressor.this.bytes++;
		}

		@Override
		public void write(byte[] array, int offset, int length) throws IOException {
			this.out.write(array, offset, length);
			MeasuringCompressor.this.bytes += length;
		}

	}

}
