package dev.grpcloop.boot.autoconfigure;

import java.time.Duration;
import java.time.temporal.ChronoUnit;

import org.springframework.boot.convert.DataSizeUnit;
import org.springframework.boot.convert.DurationUnit;
import org.springframework.util.unit.DataSize;
import org.springframework.util.unit.DataUnit;

/**
 * What clients send.
 */
public class InboundProperties {

	/**
	 * How long a client may take to complete a header block or a frame that it has begun.
	 * A number without a unit is seconds.
	 */
	@DurationUnit(ChronoUnit.SECONDS)
	private Duration headersTimeout = Duration.ofSeconds(30);

	private final Message message = new Message();

	private final Metadata metadata = new Metadata();

	public Duration getHeadersTimeout() {
		return this.headersTimeout;
	}

	public void setHeadersTimeout(Duration headersTimeout) {
		this.headersTimeout = headersTimeout;
	}

	public Message getMessage() {
		return this.message;
	}

	public Metadata getMetadata() {
		return this.metadata;
	}

	/**
	 * Request messages.
	 */
	public static class Message {

		/**
		 * Maximum size of a request message. A number without a unit is bytes.
		 */
		@DataSizeUnit(DataUnit.BYTES)
		private DataSize maxSize = DataSize.ofMegabytes(4);

		public DataSize getMaxSize() {
			return this.maxSize;
		}

		public void setMaxSize(DataSize maxSize) {
			this.maxSize = maxSize;
		}

	}

	/**
	 * Request metadata.
	 */
	public static class Metadata {

		/**
		 * Maximum size of the metadata of a request. A number without a unit is bytes.
		 */
		@DataSizeUnit(DataUnit.BYTES)
		private DataSize maxSize = DataSize.ofKilobytes(8);

		public DataSize getMaxSize() {
			return this.maxSize;
		}

		public void setMaxSize(DataSize maxSize) {
			this.maxSize = maxSize;
		}

	}

}
