// SPDX-License-Identifier: Apache-2.0
package dev.loupe.webflux;

import dev.loupe.RecordingContext;
import dev.loupe.RecordingContextKey;
import dev.loupe.Request;
import dev.loupe.TraceParent;
import dev.loupe.micrometer.RecordingContextAccessor;
import org.springframework.core.Ordered;
import org.springframework.http.server.PathContainer;
import org.springframework.http.server.reactive.ServerHttpRequest;
import org.springframework.web.server.ServerWebExchange;
import org.springframework.web.server.WebFilter;
import org.springframework.web.server.WebFilterChain;
import reactor.core.publisher.Mono;

/**
 * Makes each request a {@link RecordingContext} with these entries:
 *
 * <ul>
 * <li>{@code http_method}: {@code GET};
 * <li>{@code http_path}: {@code /orders/17}, decoded, without query and path parameters;
 * <li>{@code trace_id}: that of the request's header {@code traceparent}, if it has a valid one.
 * </ul>
 *
 * <p>The filter writes the context to Reactor's {@code Context} of the request. The application
 * calls {@code Hooks.enableAutomaticContextPropagation()} at its start: then Reactor installs the
 * context on each thread that works for the request. The filter runs before all other filters.
 *
 * <p>The request is a {@link Request}. It ends when the rest of the chain completes, fails or is
 * cancelled.
 */
public final class LoupeWebFilter implements WebFilter, Ordered {
    private static final RecordingContextKey METHOD = RecordingContextKey.forName("http_method");
    private static final RecordingContextKey PATH = RecordingContextKey.forName("http_path");
    private static final RecordingContextKey TRACE_ID = RecordingContextKey.forName("trace_id");

    /** Creates a filter. It needs no configuration. */
    public LoupeWebFilter() {}

    @Override
    public int getOrder() {
        return Ordered.HIGHEST_PRECEDENCE;
    }

    @Override
    public Mono<Void> filter(ServerWebExchange exchange, WebFilterChain chain) {
        Request request = Request.begin();
        RecordingContext.Snapshot first = contextOf(exchange.getRequest());
        request.leave();
        Mono<Void> rest = chain.filter(exchange);
        if (!first.hasContext()) { // there is no agent
            return rest;
        }
        Coroutines.begin(exchange, first);
        return rest.contextWrite(context -> context.put(RecordingContextAccessor.KEY, first))
                .doFinally(signal -> request.end());
    }

    private static RecordingContext.Snapshot contextOf(ServerHttpRequest request) {
        RecordingContext.Builder context =
                RecordingContext.where(METHOD, request.getMethod().name())
                        .where(PATH, decoded(request.getPath()));
        String trace = TraceParent.traceId(request.getHeaders().getFirst(TraceParent.HEADER));
        return (trace == null ? context : context.where(TRACE_ID, trace)).snapshot();
    }

    private static String decoded(PathContainer path) {
        StringBuilder text = new StringBuilder();
        for (PathContainer.Element element : path.elements()) {
            text.append(element instanceof PathContainer.PathSegment segment
                            ? segment.valueToMatch()
                            : element.value());
        }
        return text.toString();
    }
}
