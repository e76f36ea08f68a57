// SPDX-License-Identifier: Apache-2.0
package dev.loupe.vertx;

import dev.loupe.RecordingContext;
import dev.loupe.RecordingContextKey;
import dev.loupe.TraceParent;
import io.vertx.core.Handler;
import io.vertx.core.http.HttpServerRequest;
import java.util.Objects;

/**
 * Makes each request to an HTTP server of Vert.x a {@link RecordingContext} with these entries:
 *
 * <ul>
 * <li>{@code http_method}: {@code GET};
 * <li>{@code http_path}: {@code /orders/17}, as the client sent it, without the query;
 * <li>{@code trace_id}: that of the request's header {@code traceparent}, if it has a valid one.
 * </ul>
 *
 * <pre>{@code
 * vertx.createHttpServer().requestHandler(new LoupeRequestHandler(router)).listen(8080);
 * }</pre>
 *
 * <p>The context is installed while Vert.x calls a handler for the request, on event loops and on
 * worker threads. Requests take turns on a thread, and so do their contexts. It extends nothing.
 */
public final class LoupeRequestHandler implements Handler<HttpServerRequest> {
    private static final RecordingContextKey METHOD = RecordingContextKey.forName("http_method");
    private static final RecordingContextKey PATH = RecordingContextKey.forName("http_path");
    private static final RecordingContextKey TRACE_ID = RecordingContextKey.forName("trace_id");

    private final Handler<HttpServerRequest> handler;

    /**
     * Creates a handler.
     *
     * @param handler serves the requests, such as a router of Vert.x Web
     */
    public LoupeRequestHandler(Handler<HttpServerRequest> handler) {
        this.handler = Objects.requireNonNull(handler, "handler");
    }

    @Override
    @SuppressWarnings("try")
    public void handle(HttpServerRequest request) {
        try (RecordingContext.Activation none = RecordingContext.Snapshot.none().activate();
                RecordingContext context = install(request)) {
            VertxContext.keep();
            handler.handle(request);
        }
    }

    private static RecordingContext install(HttpServerRequest request) {
        String traceId = TraceParent.traceId(request.getHeader(TraceParent.HEADER));
        RecordingContext.Builder context =
                RecordingContext.where(METHOD, request.method().name()).where(PATH, request.path());
        return (traceId == null ? context : context.where(TRACE_ID, traceId)).build();
    }
}
