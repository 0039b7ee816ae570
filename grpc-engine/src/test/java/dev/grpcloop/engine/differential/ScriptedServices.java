package dev.grpcloop.engine.differential;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;

import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import io.grpc.MethodDescriptor.MethodType;
import io.grpc.ServerCall;
import io.grpc.ServerCallHandler;
import io.grpc.ServerServiceDefinition;
import io.grpc.Status;
import io.grpc.stub.ServerCallStreamObserver;
import io.grpc.stub.ServerCalls;
import io.grpc.stub.StreamObserver;

/**
 * The service that does what the scripts say, the same on every server.
 */
final class ScriptedServices {

	static final Metadata.Key<String> ID = Metadata.Key.of("x-script", Metadata.ASCII_STRING_MARSHALLER);

	private final Map<String, CallProbe> probes = new ConcurrentHashMap<>();

	private final Executor otherThread;

	ScriptedServices(Executor otherThread) {
		this.otherThread = otherThread;
	}

	void add(String id, CallProbe probe) {
		this.probes.put(id, probe);
	}

	void remove(String id) {
		this.probes.remove(id);
	}

	CallProbe probe(Metadata headers) {
		return this.probes.get(headers.get(ID));
	}

	ServerServiceDefinition definition() {
		ServerServiceDefinition.Builder builder = ServerServiceDefinition.builder("d.Differential");
		for (MethodType type : MethodType.values()) {
			for (CallScript.Api api : CallScript.Api.values()) {
				for (boolean protobuf : new boolean[] { true, false }) {
					if (type != MethodType.UNKNOWN) {
						builder.addMethod(method(type, type + "_" + api + "_" + protobuf, protobuf),
								(api == CallScript.Api.SERVER_CALL) ? this::startCall : stub(type));
					}
				}
			}
		}
		return builder.build();
	}

	private static MethodDescriptor<Object, Object> method(MethodType type, String name, boolean protobuf) {
		MethodDescriptor.Marshaller<Object> marshaller = Marshallers.ofServer(protobuf);
		return MethodDescriptor.newBuilder(marshaller, marshaller)
			.setType(type)
			.setFullMethodName("d.Differential/" + name)
			.build();
	}

	private ServerCall.Listener<Object> startCall(ServerCall<Object, Object> call, Metadata headers) {
		CallScript script = probe(headers).script();
		Actor actor = new Actor(script, new Responder.OfCall(call, script.protobuf()));
		if (script.autoRequest()) {
			call.request(1);
		}
		actor.at(Event.START);
		return new ServerCall.Listener<>() {

			private boolean ready;

			private boolean message;

			@Override
			public void onReady() {
				if (!this.ready) {
					this.ready = true;
					actor.at(Event.READY);
				}
			}

			@Override
			public void onMessage(Object request) {
				Event event = this.message ? Event.LATER_MESSAGE : Event.FIRST_MESSAGE;
				this.message = true;
				actor.at(event);
				if (script.autoRequest()) {
					call.request(1);
				}
			}

			@Override
			public void onHalfClose() {
				if (script.otherThread()) {
					ScriptedServices.this.otherThread.execute(() -> answer(actor, call));
				}
				else {
					actor.at(Event.HALF_CLOSE);
				}
			}

			@Override
			public void onComplete() {
				actor.at(Event.COMPLETE);
			}

			@Override
			public void onCancel() {
				actor.at(Event.CANCEL);
			}

		};
	}

	/**
	 * Nobody hears what is thrown in a thread of the service's own.
	 */
	private static void answer(Actor actor, ServerCall<?, ?> call) {
		try {
			actor.at(Event.HALF_CLOSE);
		}
		catch (Throwable ex) {
			try {
				call.close(Status.FAILED_PRECONDITION.withDescription(ex.getClass().getName()), new Metadata());
			}
			catch (IllegalStateException closed) {
				// it was closed before
			}
		}
	}

	private ServerCallHandler<Object, Object> stub(MethodType type) {
		return switch (type) {
			case UNARY ->
				withProbe((probe) -> ServerCalls.asyncUnaryCall((request, responses) -> once(probe, responses)));
			case SERVER_STREAMING -> withProbe(
					(probe) -> ServerCalls.asyncServerStreamingCall((request, responses) -> once(probe, responses)));
			case CLIENT_STREAMING ->
				withProbe((probe) -> ServerCalls.asyncClientStreamingCall((responses) -> streaming(probe, responses)));
			default ->
				withProbe((probe) -> ServerCalls.asyncBidiStreamingCall((responses) -> streaming(probe, responses)));
		};
	}

	private ServerCallHandler<Object, Object> withProbe(
			java.util.function.Function<CallProbe, ServerCallHandler<Object, Object>> factory) {
		return (call, headers) -> factory.apply(probe(headers)).startCall(call, headers);
	}

	private static Actor actor(CallProbe probe, StreamObserver<Object> responses) {
		ServerCallStreamObserver<Object> observer = (ServerCallStreamObserver<Object>) responses;
		observer.setOnCancelHandler(() -> {
		});
		return new Actor(probe.script(), new Responder.OfObserver(observer, probe.script().protobuf()));
	}

	private static void once(CallProbe probe, StreamObserver<Object> responses) {
		Actor actor = actor(probe, responses);
		actor.at(Event.START);
		actor.at(Event.FIRST_MESSAGE);
		actor.at(Event.HALF_CLOSE);
	}

	private static StreamObserver<Object> streaming(CallProbe probe, StreamObserver<Object> responses) {
		Actor actor = actor(probe, responses);
		actor.at(Event.START);
		return new StreamObserver<>() {

			private boolean message;

			@Override
			public void onNext(Object request) {
				Event event = this.message ? Event.LATER_MESSAGE : Event.FIRST_MESSAGE;
				this.message = true;
				actor.at(event);
			}

			@Override
			public void onError(Throwable error) {
			}

			@Override
			public void onCompleted() {
				actor.at(Event.HALF_CLOSE);
			}

		};
	}

}
