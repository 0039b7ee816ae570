package dev.grpcloop.interop

import com.google.protobuf.ByteString
import io.grpc.Context
import io.grpc.Metadata
import io.grpc.ServerCall
import io.grpc.Status
import io.grpc.StatusException
import io.grpc.kotlin.CoroutineContextServerInterceptor
import io.grpc.testing.integration.Messages.Payload
import io.grpc.testing.integration.Messages.SimpleRequest
import io.grpc.testing.integration.Messages.SimpleResponse
import io.grpc.testing.integration.Messages.StreamingInputCallRequest
import io.grpc.testing.integration.Messages.StreamingInputCallResponse
import io.grpc.testing.integration.Messages.StreamingOutputCallRequest
import io.grpc.testing.integration.Messages.StreamingOutputCallResponse
import io.grpc.testing.integration.TestServiceGrpcKt
import kotlinx.coroutines.CancellationException
import kotlinx.coroutines.CoroutineName
import kotlinx.coroutines.awaitCancellation
import kotlinx.coroutines.currentCoroutineContext
import kotlinx.coroutines.delay
import kotlinx.coroutines.flow.Flow
import kotlinx.coroutines.flow.flow
import kotlinx.coroutines.flow.map
import kotlinx.coroutines.yield
import java.util.concurrent.CompletableFuture
import kotlin.coroutines.CoroutineContext

/**
 * What a Kotlin user writes against the stubs of grpc-kotlin. Unary calls echo, or do
 * what their payload says.
 */
class CoroutineTestService(context: CoroutineContext) : TestServiceGrpcKt.TestServiceCoroutineImplBase(context) {

    @JvmField
    val waiting: CompletableFuture<Void> = CompletableFuture()

    @JvmField
    val cancelled: CompletableFuture<Void> = CompletableFuture()

    override suspend fun unaryCall(request: SimpleRequest): SimpleResponse {
        val answer = when (val word = request.payload.body.toStringUtf8()) {
            "absent" -> throw StatusException(Status.NOT_FOUND.withDescription("no such word"), trailers("absent"))
            "broken" -> throw IllegalStateException("broken")
            "wait" -> awaitCancelled()
            "context" -> {
                val before = CALLER.get()
                delay(1)
                "$before ${CALLER.get()}"
            }
            "name" -> currentCoroutineContext()[CoroutineName]?.name ?: "none"
            else -> word
        }
        return SimpleResponse.newBuilder().setPayload(payload(answer)).build()
    }

    override fun streamingOutputCall(request: StreamingOutputCallRequest): Flow<StreamingOutputCallResponse> = flow {
        for (parameters in request.responseParametersList) {
            emit(response(ByteString.copyFrom(ByteArray(parameters.size))))
        }
        if (request.payload.body.toStringUtf8() == "wait") {
            awaitCancelled()
        }
    }

    override suspend fun streamingInputCall(requests: Flow<StreamingInputCallRequest>): StreamingInputCallResponse {
        var bytes = 0
        requests.collect {
            yield()
            bytes += it.payload.body.size()
        }
        return StreamingInputCallResponse.newBuilder().setAggregatedPayloadSize(bytes).build()
    }

    override fun fullDuplexCall(requests: Flow<StreamingOutputCallRequest>): Flow<StreamingOutputCallResponse> =
        requests.map {
            if (it.payload.body.toStringUtf8() == "absent") {
                throw StatusException(Status.NOT_FOUND.withDescription("no such word"))
            }
            response(it.payload.body)
        }

    private suspend fun awaitCancelled(): Nothing {
        waiting.complete(null)
        try {
            awaitCancellation()
        } catch (ex: CancellationException) {
            cancelled.complete(null)
            throw ex
        }
    }

    /** Names the coroutine of each call after its caller. */
    class Naming : CoroutineContextServerInterceptor() {

        override fun coroutineContext(call: ServerCall<*, *>, headers: Metadata): CoroutineContext =
            CoroutineName("call of ${headers[CALLER_HEADER]}")

    }

    companion object {

        @JvmField
        val CALLER: Context.Key<String> = Context.key("caller")

        @JvmField
        val CALLER_HEADER: Metadata.Key<String> = Metadata.Key.of("caller", Metadata.ASCII_STRING_MARSHALLER)

        private fun trailers(word: String) = Metadata().apply { put(CALLER_HEADER, word) }

        private fun payload(word: String): Payload =
            Payload.newBuilder().setBody(ByteString.copyFromUtf8(word)).build()

        private fun response(body: ByteString): StreamingOutputCallResponse =
            StreamingOutputCallResponse.newBuilder().setPayload(Payload.newBuilder().setBody(body)).build()

    }

}
