package dev.grpcloop.engine;

import java.util.List;

import dev.grpcloop.engine.testproto.EchoGrpc;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.health.v1.HealthCheckRequest;
import io.grpc.health.v1.HealthCheckResponse;
import io.grpc.health.v1.HealthCheckResponse.ServingStatus;
import io.grpc.health.v1.HealthGrpc;
import io.grpc.protobuf.services.HealthStatusManager;
import io.grpc.protobuf.services.ProtoReflectionServiceV1;
import io.grpc.reflection.v1.ServerReflectionGrpc;
import io.grpc.reflection.v1.ServerReflectionRequest;
import io.grpc.reflection.v1.ServerReflectionResponse;
import io.grpc.reflection.v1.ServiceResponse;
import io.grpc.stub.StreamObserver;
import io.grpc.util.MutableHandlerRegistry;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * The services of grpc-services run as they are.
 */
class GrpcServicesTests {

	@BothModes
	void healthIsChecked(Mode mode) throws Exception {
		HealthStatusManager health = new HealthStatusManager();
		try (TestServer server = TestServer.start(mode::apply,
				(builder) -> builder.addService(health.getHealthService()))) {
			HealthGrpc.HealthBlockingStub stub = HealthGrpc.newBlockingStub(server.channel());
			assertThat(stub.check(request("")).getStatus()).isEqualTo(ServingStatus.SERVING);
			assertThatExceptionOfType(StatusRuntimeException.class).isThrownBy(() -> stub.check(request("t.Echo")))
				.satisfies((ex) -> assertThat(ex.getStatus().getCode()).isEqualTo(Status.Code.NOT_FOUND));
			health.setStatus("t.Echo", ServingStatus.NOT_SERVING);
			assertThat(stub.check(request("t.Echo")).getStatus()).isEqualTo(ServingStatus.NOT_SERVING);
		}
	}

	@BothModes
	void healthIsWatched(Mode mode) throws Exception {
		HealthStatusManager health = new HealthStatusManager();
		try (TestServer server = TestServer.start(mode::apply,
				(builder) -> builder.addService(health.getHealthService()))) {
			RecordingObserver<HealthCheckResponse> statuses = new RecordingObserver<>();
			HealthGrpc.newStub(server.channel()).watch(request("t.Echo"), statuses);
			assertThat(statuses.next().getStatus()).isEqualTo(ServingStatus.SERVICE_UNKNOWN);
			health.setStatus("t.Echo", ServingStatus.SERVING);
			assertThat(statuses.next().getStatus()).isEqualTo(ServingStatus.SERVING);
			health.enterTerminalState();
			assertThat(statuses.next().getStatus()).isEqualTo(ServingStatus.NOT_SERVING);
		}
	}

	@BothModes
	void reflectionNamesTheServicesAndTheirFiles(Mode mode) throws Exception {
		MutableHandlerRegistry fallback = new MutableHandlerRegistry();
		fallback.addService(new HealthStatusManager().getHealthService());
		try (TestServer server = TestServer.start(mode::apply,
				(builder) -> builder.addService(new EchoService())
					.addService(ProtoReflectionServiceV1.newInstance())
					.fallbackHandlerRegistry(fallback))) {
			RecordingObserver<ServerReflectionResponse> responses = new RecordingObserver<>();
			StreamObserver<ServerReflectionRequest> requests = ServerReflectionGrpc.newStub(server.channel())
				.serverReflectionInfo(responses);
			requests.onNext(ServerReflectionRequest.newBuilder().setListServices("").build());
			List<String> names = responses.next()
				.getListServicesResponse()
				.getServiceList()
				.stream()
				.map(ServiceResponse::getName)
				.toList();
			assertThat(names).containsExactlyInAnyOrder(EchoGrpc.SERVICE_NAME, HealthGrpc.SERVICE_NAME,
					ServerReflectionGrpc.SERVICE_NAME);
			requests.onNext(ServerReflectionRequest.newBuilder().setFileContainingSymbol("t.Echo.Unary").build());
			assertThat(responses.next().getFileDescriptorResponse().getFileDescriptorProto(0).toStringUtf8())
				.contains("echo.proto");
			requests.onCompleted();
			assertThat(responses.all()).isEmpty();
		}
	}

	private static HealthCheckRequest request(String service) {
		return HealthCheckRequest.newBuilder().setService(service).build();
	}

}
