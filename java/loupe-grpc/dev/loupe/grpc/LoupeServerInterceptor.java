// SPDX-License-Identifier: Apache-2.0
package dev.loupe.grpc;

import dev.loupe.RecordingContext;
import dev.loupe.RecordingContextKey;
import dev.loupe.Request;
import dev.loupe.TraceParent;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import io.grpc.ServerCall;
import io.grpc.ServerCallHandler;
import io.grpc.ServerInterceptor;

/**
 * Makes each call to a gRPC server a {@link RecordingContext} with these entries:
 *
 * <ul>
 * <li>{@code rpc_service}: {@code shop.Orders};
 * <li>{@code rpc_method}: {@code Find};
 * <li>{@code trace_id}: that of the call's header {@code traceparent}, if it has a valid one.
 * </ul>
 *
 * <pre>{@code
 * Server server = ServerBuilder.forPort(port)
 *     .addService(new Orders())
 *     .intercept(new LoupeServerInterceptor()) // last: gRPC calls it first
 *     .build();
 * }</pre>
 *
 * <p>gRPC calls the service back for each part of a call (messages, the end, the cancellation), on
 * changing threads. The context is installed during these callbacks. It extends nothing: a call
 * belongs to its client. The call is a {@link Request}, which lasts until the callback of its end
 * or its cancellation has returned. {@link dev.loupe.Loupe#wrap(Runnable)} takes it to the
 * application's own threads.
 */
public final class LoupeServerInterceptor implements ServerInterceptor {
    private static final RecordingContextKey SERVICE = RecordingContextKey.forName("rpc_service");
    private static final RecordingContextKey METHOD = RecordingContextKey.forName("rpc_method");
    private static final RecordingContextKey TRACE_ID = RecordingContextKey.forName("trace_id");
    private static final Metadata.Key<String> TRACE_PARENT =
            Metadata.Key.of(TraceParent.HEADER, Metadata.ASCII_STRING_MARSHALLER);

    /** Creates an interceptor, for any number of servers. It needs no configuration. */
    public LoupeServerInterceptor() {}

    @Override
    @SuppressWarnings("try")
    public <Q, A> ServerCall.Listener<Q> interceptCall(
            ServerCall<Q, A> call, Metadata headers, ServerCallHandler<Q, A> next) {
        try (RecordingContext.Activation none = RecordingContext.Snapshot.none().activate()) {
            Request request = Request.begin();
            try {
                return start(call, headers, next, request);
            } catch (Throwable e) { // gRPC closes the call, and calls nobody back
                request.end();
                throw e;
            } finally {
                request.leave();
            }
        }
    }

    @SuppressWarnings("try")
    private static <Q, A> ServerCall.Listener<Q> start(ServerCall<Q, A> call, Metadata headers,
            ServerCallHandler<Q, A> next, Request request) {
        try (RecordingContext context = install(call.getMethodDescriptor(), headers)) {
            return new CallListener<>(
                    next.startCall(call, headers), RecordingContext.snapshot(), request);
        }
    }

    private static RecordingContext install(MethodDescriptor<?, ?> method, Metadata headers) {
        String traceId = TraceParent.traceId(headers.get(TRACE_PARENT));
        RecordingContext.Builder context = RecordingContext.where(SERVICE, method.getServiceName())
                                                   .where(METHOD, method.getBareMethodName());
        return (traceId == null ? context : context.where(TRACE_ID, traceId)).build();
    }
}
