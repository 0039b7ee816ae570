package dev.grpcloop.engine;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

import dev.grpcloop.engine.telemetry.CloseReason;
import io.grpc.Attributes;
import io.grpc.Grpc;
import io.grpc.Metadata;
import io.grpc.ServerCall;
import io.grpc.ServerCallHandler;
import io.grpc.ServerInterceptor;
import io.grpc.ServerTransportFilter;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class TransportFilterTests {

	private static final Attributes.Key<String> MARK = Attributes.Key.create("mark");

	@EveryVariant
	void filtersSeeEachConnectionComeAndGoAndAddToItsAttributes(Variant variant) throws Exception {
		List<String> events = new CopyOnWriteArrayList<>();
		List<String> marks = new CopyOnWriteArrayList<>();
		ServerInterceptor reader = new ServerInterceptor() {

			@Override
			public <Q, R> ServerCall.Listener<Q> interceptCall(ServerCall<Q, R> call, Metadata headers,
					ServerCallHandler<Q, R> next) {
				marks.add(call.getAttributes().get(MARK));
				return next.startCall(call, headers);
			}

		};
		try (TestServer server = TestServer.echo((builder) -> {
			variant.apply(builder);
			builder.addTransportFilter(new Marking("a", events))
				.addTransportFilter(new Marking("b", events))
				.intercept(reader);
		})) {
			server.blocking().unary(Messages.text("one"));
			server.blocking().unary(Messages.text("two"));
			assertThat(events).containsExactly("a ready", "b ready");
			assertThat(marks).containsExactly("null, a, b", "null, a, b");
			server.channel().shutdownNow();
			Eventually.until("the connection has ended", () -> events.size() == 4);
			assertThat(events.subList(2, 4)).containsExactlyInAnyOrder("a ended with null, a, b",
					"b ended with null, a, b");
		}
		assertThat(events).hasSize(4);
	}

	@Test
	void aFilterThatThrowsEndsTheConnectionAndNotTheServer() throws Exception {
		List<String> events = new CopyOnWriteArrayList<>();
		ServerTransportFilter refusing = new ServerTransportFilter() {

			@Override
			public Attributes transportReady(Attributes attributes) {
				events.add("asked");
				if (events.size() == 1) {
					throw new NoClassDefFoundError("not you");
				}
				return attributes;
			}

			@Override
			public void transportTerminated(Attributes attributes) {
				throw new NoClassDefFoundError("nor you");
			}

		};
		RecordingTelemetry telemetry = new RecordingTelemetry();
		try (TestServer server = TestServer
			.echo((builder) -> builder.addTransportFilter(refusing).telemetry(telemetry))) {
			// the client finds its first connection closed and makes another
			assertThat(server.blocking().withWaitForReady().unary(Messages.text("a"))).isEqualTo(Messages.text("a"));
			Eventually.until("the first connection has ended", () -> telemetry.connectionsClosed.get() == 1);
			assertThat(telemetry.connectionsOpened).hasValue(2);
			assertThat(telemetry.closeReasons).containsExactly(CloseReason.REFUSED);
			assertThat(events).hasSize(2);
		}
		assertThat(telemetry.isBalanced()).isTrue();
	}

	/**
	 * Adds its name to an attribute.
	 */
	private static final class Marking extends ServerTransportFilter {

		private final String name;

		private final List<String> events;

		Marking(String name, List<String> events) {
			this.name = name;
			this.events = events;
		}

		@Override
		public Attributes transportReady(Attributes attributes) {
			assertThat(attributes.get(Grpc.TRANSPORT_ATTR_REMOTE_ADDR)).isNotNull();
			this.events.add(this.name + " ready");
			return attributes.toBuilder().set(MARK, attributes.get(MARK) + ", " + this.name).build();
		}

		@Override
		public void transportTerminated(Attributes attributes) {
			this.events.add(this.name + " ended with " + attributes.get(MARK));
		}

	}

}
