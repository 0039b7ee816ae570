package dev.grpcloop.engine.http2;

import io.netty.handler.codec.http2.Http2Error;
import io.netty.handler.codec.http2.Http2Exception;
import io.netty.handler.codec.http2.Http2Settings;

/**
 * The SETTINGS of both sides (RFC 9113 section 6.5): those of the peer are applied and
 * acknowledged, and its acknowledgement of the server's is noted.
 * <p>
 * Owned by the event loop.
 */
final class SettingsExchange {

	private final Http2Connection connection;

	private boolean acknowledged;

	SettingsExchange(Http2Connection connection) {
		this.connection = connection;
	}

	/**
	 * SETTINGS were read.
	 */
	void read(Http2Settings settings) throws Http2Exception {
		this.connection.abuse().settingsRead(settings.size());
		Long headerTableSize = settings.headerTableSize();
		if (headerTableSize != null) {
			this.connection.responses().peerTableSize(headerTableSize);
		}
		Integer maxFrameSize = settings.maxFrameSize();
		if (maxFrameSize != null) {
			this.connection.responses().peerMaxFrameSize(maxFrameSize);
		}
		Long maxHeaderListSize = settings.maxHeaderListSize();
		if (maxHeaderListSize != null) {
			this.connection.responses().peerMaxHeaderListSize(maxHeaderListSize);
		}
		Integer initialWindow = settings.initialWindowSize();
		if (initialWindow != null
				&& !this.connection.outboundFlow().initialWindow(initialWindow, this.connection.streams().values())) {
			throw Http2Exception.connectionError(Http2Error.FLOW_CONTROL_ERROR,
					"SETTINGS_INITIAL_WINDOW_SIZE %d makes a window larger than 2^31-1", initialWindow);
		}
		this.connection.frames().settingsAck();
		this.connection.resumeOutput();
	}

	/**
	 * SETTINGS with ACK were read. The server sends SETTINGS once, so the first
	 * acknowledgement counts, and any other means nothing.
	 */
	void ackRead() throws AbuseException {
		if (this.acknowledged) {
			this.connection.abuse().idleFrame();
			return;
		}
		this.acknowledged = true;
		this.connection.timers().handshake().acknowledged();
	}

	/**
	 * Whether the peer knows the server's settings.
	 */
	boolean isAcknowledged() {
		return this.acknowledged;
	}

}
