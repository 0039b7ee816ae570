package dev.grpcloop.engine.differential;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;

import io.grpc.CallOptions;
import io.grpc.ClientCall;
import io.grpc.Codec;
import io.grpc.CompressorRegistry;
import io.grpc.ManagedChannel;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import io.grpc.MethodDescriptor.MethodType;
import io.grpc.Server;
import io.grpc.Status;
import io.grpc.netty.NettyChannelBuilder;

/**
 * One server with its stock clients.
 */
final class Arena implements AutoCloseable {

	static final int MAX_MESSAGE = 300_000;

	private final ExecutorService executor = Executors.newCachedThreadPool((task) -> {
		Thread thread = new Thread(task);
		// grpc-java lets out what a service throws
		thread.setUncaughtExceptionHandler((where, ex) -> {
		});
		return thread;
	});

	private final ScriptedServices services = new ScriptedServices(this.executor);

	private final Server server;

	private final List<ManagedChannel> channels = new ArrayList<>();

	private int calls;

	Arena(Contestant contestant) throws IOException {
		this.server = contestant.builder(this.executor)
			.maxInboundMessageSize(MAX_MESSAGE)
			.addService(this.services.definition())
			.intercept(Interceptors.scripted(this.services))
			.intercept(Interceptors.watching(this.services))
			.build()
			.start();
		this.channels.add(channel("gzip", new Codec.Gzip()));
		this.channels.add(channel("unheard-of", new OddCodec("unheard-of")));
		this.channels.add(channel("gzip", new OddCodec("gzip")));
	}

	private ManagedChannel channel(String name, Codec codec) {
		CompressorRegistry registry = CompressorRegistry.newEmptyInstance();
		registry.register(codec);
		registry.register(Codec.Identity.NONE);
		return NettyChannelBuilder.forAddress("127.0.0.1", this.server.getPort())
			.usePlaintext()
			.compressorRegistry(registry)
			.directExecutor()
			.build();
	}

	Outcome run(CallScript script) {
		String id = Integer.toString(this.calls++);
		CallProbe probe = new CallProbe(script);
		this.services.add(id, probe);
		try {
			return run(script, probe, id);
		}
		finally {
			this.services.remove(id);
		}
	}

	private Outcome run(CallScript script, CallProbe probe, String id) {
		MethodDescriptor<byte[], byte[]> method = MethodDescriptor.newBuilder(Marshallers.BYTES, Marshallers.BYTES)
			.setType(MethodType.BIDI_STREAMING)
			.setFullMethodName(script.path())
			.build();
		boolean broken = "broken".equals(script.encoding());
		ManagedChannel channel = this.channels.get(broken ? 2 : "unheard-of".equals(script.encoding()) ? 1 : 0);
		CallOptions options = (script.encoding() == null) ? CallOptions.DEFAULT
				: CallOptions.DEFAULT.withCompression(broken ? "gzip" : script.encoding());
		ClientCall<byte[], byte[]> call = channel.newCall(method, options);
		Metadata headers = script.headers().toMetadata();
		headers.put(ScriptedServices.ID, id);
		CompletableFuture<Status> status = new CompletableFuture<>();
		Metadata[] trailers = new Metadata[1];
		call.start(new ClientCall.Listener<>() {

			@Override
			public void onHeaders(Metadata headers) {
				probe.headers(Fields.describe(headers));
			}

			@Override
			public void onMessage(byte[] message) {
				probe.message(Msg.describe(message));
				if (!script.eager()) {
					call.request(1);
				}
			}

			@Override
			public void onClose(Status closed, Metadata received) {
				trailers[0] = received;
				status.complete(closed);
				probe.closed();
			}

		}, headers);
		call.request(script.eager() ? 1000 : 1);
		for (Step step : script.steps()) {
			perform(step, call, probe, script);
		}
		probe.awaitClosed();
		return probe.outcome(status.join(), Fields.describe(trailers[0]));
	}

	private static void perform(Step step, ClientCall<byte[], byte[]> call, CallProbe probe, CallScript script) {
		if (step instanceof Step.Send send) {
			call.sendMessage(Marshallers.request(send.message(), script.protobuf()));
		}
		else if (step instanceof Step.MessageCompression compression) {
			call.setMessageCompression(compression.enabled());
		}
		else if (step instanceof Step.HalfClose) {
			call.halfClose();
		}
		else if (step instanceof Step.AwaitMessages await) {
			probe.awaitMessages(await.count());
		}
		else if (step instanceof Step.AwaitHeaders) {
			probe.awaitHeaders();
		}
		else if (step instanceof Step.AwaitStart) {
			probe.awaitStart();
		}
		else if (step instanceof Step.AwaitDelivered await) {
			probe.awaitDelivered(await.count());
		}
		else if (step instanceof Step.AwaitReady) {
			probe.awaitReady();
		}
		else if (step instanceof Step.Cancel) {
			call.cancel("as the script says", null);
		}
	}

	@Override
	public void close() throws InterruptedException {
		this.channels.forEach(ManagedChannel::shutdownNow);
		for (ManagedChannel channel : this.channels) {
			channel.awaitTermination(10, TimeUnit.SECONDS);
		}
		this.server.shutdownNow();
		this.server.awaitTermination(10, TimeUnit.SECONDS);
		this.executor.shutdown();
	}

	/**
	 * Writes what no decoder reads.
	 */
	private record OddCodec(String name) implements Codec {

		@Override
		public String getMessageEncoding() {
			return this.name;
		}

		@Override
		public OutputStream compress(OutputStream out) throws IOException {
			out.write(new byte[] { 1, 2, 3, 4 });
			return out;
		}

		@Override
		public InputStream decompress(InputStream in) {
			return new ByteArrayInputStream(new byte[0]);
		}

	}

}
