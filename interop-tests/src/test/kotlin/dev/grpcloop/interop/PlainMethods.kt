package dev.grpcloop.interop

import dev.grpcloop.boot.GrpcController
import io.grpc.testing.integration.Messages.SimpleRequest
import io.grpc.testing.integration.Messages.SimpleResponse
import io.grpc.testing.integration.Messages.StreamingOutputCallRequest
import io.grpc.testing.integration.Messages.StreamingOutputCallResponse
import io.grpc.testing.integration.TestServiceGrpc
import kotlinx.coroutines.delay
import kotlinx.coroutines.flow.Flow
import kotlinx.coroutines.flow.emptyFlow
import java.util.stream.Stream

/** Plain methods in Kotlin, which are those of Java. */
@GrpcController(TestServiceGrpc::class)
class PlainController {

    fun unaryCall(request: SimpleRequest): SimpleResponse =
        SimpleResponse.newBuilder().setPayload(request.payload).build()

    fun streamingOutputCall(request: StreamingOutputCallRequest): Stream<StreamingOutputCallResponse> =
        Stream.of(StreamingOutputCallResponse.newBuilder().setPayload(request.payload).build())

}

@GrpcController(TestServiceGrpc::class)
class SuspendController {

    suspend fun unaryCall(request: SimpleRequest): SimpleResponse {
        delay(1)
        return SimpleResponse.newBuilder().setPayload(request.payload).build()
    }

}

@GrpcController(TestServiceGrpc::class)
class FlowController {

    fun streamingOutputCall(request: StreamingOutputCallRequest): Flow<StreamingOutputCallResponse> = emptyFlow()

}
