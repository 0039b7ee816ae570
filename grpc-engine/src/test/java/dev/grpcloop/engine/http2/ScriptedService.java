package dev.grpcloop.engine.http2;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.BooleanSupplier;
import java.util.function.Function;

import dev.grpcloop.engine.http2.ServedCall.Behaviour;
import dev.grpcloop.engine.testproto.EchoGrpc;
import io.grpc.MethodDescriptor;
import io.grpc.MethodDescriptor.MethodType;
import io.grpc.ServerCallHandler;
import io.grpc.ServerServiceDefinition;

/**
 * Two services with a method of every kind: {@code t.Echo} on grpc-protobuf's
 * marshallers, which the engine knows, and {@code t.Raw} on a marshaller of bytes, which
 * it does not and which throws when it is told to. What the methods do is the test's
 * choice.
 */
final class ScriptedService {

	private static final String POISON = "poison";

	private static final String HALF_POISON = "half-poison";

	final List<ServedCall> calls = new ArrayList<>();

	/** What should not have happened, in callbacks whose exceptions get lost. */
	final List<String> faults = new ArrayList<>();

	private Function<ServedCall, Behaviour> behaviour = (call) -> Behaviour.ECHO;

	private BooleanSupplier rightThread = () -> true;

	private Runnable interruption = () -> {
	};

	ScriptedService behaves(Behaviour behaviour) {
		return behaves((call) -> behaviour);
	}

	ScriptedService behaves(Function<ServedCall, Behaviour> behaviour) {
		this.behaviour = behaviour;
		return this;
	}

	/**
	 * Other threads do something whenever service code or a marshaller runs.
	 */
	void interruptedBy(Runnable interruption) {
		this.interruption = interruption;
	}

	void interrupt() {
		this.interruption.run();
	}

	/**
	 * Callbacks must run where this is so.
	 */
	void runsWhere(BooleanSupplier rightThread) {
		this.rightThread = rightThread;
	}

	ServedCall call(int index) {
		return this.calls.get(index);
	}

	ServedCall onlyCall() {
		if (this.calls.size() != 1) {
			throw new AssertionError(this.calls.size() + " calls were started, not 1");
		}
		return this.calls.get(0);
	}

	synchronized void expect(boolean condition, String fault) {
		if (!condition) {
			this.faults.add(fault);
		}
	}

	void expectThread(String fault) {
		expect(this.rightThread.getAsBoolean(), fault);
	}

	/**
	 * Fails if a callback came that should not have.
	 */
	void verify() {
		if (!this.faults.isEmpty()) {
			throw new AssertionError(String.join("\n", this.faults));
		}
	}

	/**
	 * A message of {@code t.Raw} that makes its marshaller throw, both ways.
	 */
	static byte[] poison() {
		return (POISON + "!").getBytes(StandardCharsets.US_ASCII);
	}

	/**
	 * A response of {@code t.Raw} whose stream fails when half of it is read.
	 */
	static byte[] halfPoison() {
		return (HALF_POISON + "!".repeat(1000)).getBytes(StandardCharsets.US_ASCII);
	}

	private static boolean beginsWith(byte[] value, String prefix) {
		byte[] bytes = prefix.getBytes(StandardCharsets.US_ASCII);
		return value.length >= bytes.length && Arrays.equals(value, 0, bytes.length, bytes, 0, bytes.length);
	}

	List<ServerServiceDefinition> definitions() {
		ServerServiceDefinition.Builder echo = ServerServiceDefinition.builder("t.Echo");
		echo.addMethod(EchoGrpc.getUnaryMethod(), handler());
		echo.addMethod(EchoGrpc.getClientStreamMethod(), handler());
		echo.addMethod(EchoGrpc.getServerStreamMethod(), handler());
		echo.addMethod(EchoGrpc.getBidiMethod(), handler());
		ServerServiceDefinition.Builder raw = ServerServiceDefinition.builder("t.Raw");
		raw.addMethod(raw("Unary", MethodType.UNARY), handler());
		raw.addMethod(raw("ClientStream", MethodType.CLIENT_STREAMING), handler());
		raw.addMethod(raw("ServerStream", MethodType.SERVER_STREAMING), handler());
		raw.addMethod(raw("Bidi", MethodType.BIDI_STREAMING), handler());
		return List.of(echo.build(), raw.build());
	}

	private MethodDescriptor<byte[], byte[]> raw(String name, MethodType type) {
		BytesMarshaller marshaller = new BytesMarshaller();
		return MethodDescriptor.newBuilder(marshaller, marshaller)
			.setType(type)
			.setFullMethodName("t.Raw/" + name)
			.build();
	}

	@SuppressWarnings("unchecked")
	private <Q, R> ServerCallHandler<Q, R> handler() {
		return (ServerCallHandler<Q, R>) (ServerCallHandler<Object, Object>) (call, metadata) -> {
			ServedCall served = new ServedCall(this, call, metadata);
			this.calls.add(served);
			return served.start(this.behaviour.apply(served));
		};
	}

	private final class BytesMarshaller implements MethodDescriptor.Marshaller<byte[]> {

		@Override
		public InputStream stream(byte[] value) {
			interrupt();
			if (beginsWith(value, POISON)) {
				throw new IllegalStateException("secret: a response marshaller threw");
			}
			if (beginsWith(value, HALF_POISON)) {
				return new FailingStream(value);
			}
			return new ByteArrayInputStream(value);
		}

		@Override
		public byte[] parse(InputStream stream) {
			interrupt();
			try {
				byte[] value = stream.readAllBytes();
				if (beginsWith(value, POISON)) {
					throw new IllegalStateException("secret: a request marshaller threw");
				}
				return value;
			}
			catch (IOException ex) {
				throw new UncheckedIOException(ex);
			}
		}

	}

	private static final class FailingStream extends InputStream {

		private final byte[] bytes;

		private int index;

		FailingStream(byte[] bytes) {
			this.bytes = bytes;
		}

		@Override
		public int read() throws IOException {
			if (this.index >= this.bytes.length / 2) {
				throw new IOException("secret: a response stream failed half-way");
			}
			return this.bytes[this.index++] & 0xff;
		}

	}

}
