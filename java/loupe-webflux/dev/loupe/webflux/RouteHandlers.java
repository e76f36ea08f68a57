// SPDX-License-Identifier: Apache-2.0
package dev.loupe.webflux;

import dev.loupe.RecordingContext;
import dev.loupe.RecordingContextKey;
import dev.loupe.micrometer.RecordingContextAccessor;
import java.util.List;
import java.util.function.Predicate;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.core.Ordered;
import org.springframework.web.reactive.HandlerAdapter;
import org.springframework.web.reactive.HandlerMapping;
import org.springframework.web.reactive.HandlerResult;
import org.springframework.web.reactive.HandlerResultHandler;
import org.springframework.web.server.ServerWebExchange;
import reactor.core.publisher.Mono;
import reactor.util.context.Context;

/**
 * Adds the entry {@code http_route} to the context of a request: the pattern of its handler, such
 * as {@code /orders/{id}}. This bean comes first among the handler adapters and result handlers of
 * the application and delegates to the others. The entry applies in handlers and in the publishers
 * that they return.
 *
 * <p>It needs {@link LoupeWebFilter}.
 */
public final class RouteHandlers implements HandlerAdapter, HandlerResultHandler, Ordered {
    private static final RecordingContextKey ROUTE = RecordingContextKey.forName("http_route");
    private static final String SNAPSHOT = RouteHandlers.class.getName() + ".snapshot";

    private final Others<HandlerAdapter> adapters;
    private final Others<HandlerResultHandler> resultHandlers;

    /** The other beans of a type. Looks for them at the first use. */
    private static final class Others<T> {
        private final ObjectProvider<T> beans;
        private volatile List<T> found;

        Others(ObjectProvider<T> beans) {
            this.beans = beans;
        }

        // Returns the first bean that meets the condition, null if none does.
        T find(Predicate<T> condition) {
            if (found == null) {
                found = beans.orderedStream().filter(b -> !(b instanceof RouteHandlers)).toList();
            }
            for (T bean : found) {
                if (condition.test(bean)) {
                    return bean;
                }
            }
            return null;
        }
    }

    /**
     * Creates the bean.
     *
     * @param adapters all handler adapters of the application
     * @param resultHandlers all its result handlers
     */
    public RouteHandlers(ObjectProvider<HandlerAdapter> adapters,
            ObjectProvider<HandlerResultHandler> resultHandlers) {
        this.adapters = new Others<>(adapters);
        this.resultHandlers = new Others<>(resultHandlers);
    }

    @Override
    public int getOrder() {
        return Ordered.HIGHEST_PRECEDENCE;
    }

    @Override
    public boolean supports(Object handler) {
        return adapters.find(a -> a.supports(handler)) != null;
    }

    @Override
    public Mono<HandlerResult> handle(ServerWebExchange exchange, Object handler) {
        HandlerAdapter adapter = adapters.find(a -> a.supports(handler));
        return inRoute(exchange, Mono.defer(() -> adapter.handle(exchange, handler)));
    }

    @Override
    public boolean supports(HandlerResult result) {
        return resultHandlers.find(h -> h.supports(result)) != null;
    }

    @Override
    public Mono<Void> handleResult(ServerWebExchange exchange, HandlerResult result) {
        HandlerResultHandler handler = resultHandlers.find(h -> h.supports(result));
        return inRoute(exchange, Mono.defer(() -> handler.handleResult(exchange, result)));
    }

    private static <T> Mono<T> inRoute(ServerWebExchange exchange, Mono<T> work) {
        Object route = exchange.getAttribute(HandlerMapping.BEST_MATCHING_PATTERN_ATTRIBUTE);
        return route == null
                ? work
                : work.contextWrite(context -> extend(context, exchange, route.toString()));
    }

    private static Context extend(Context context, ServerWebExchange exchange, String route) {
        Object request = context.getOrDefault(RecordingContextAccessor.KEY, null);
        if (!(request instanceof RecordingContext.Snapshot snapshot)) { // there is no agent
            return context;
        }
        RecordingContext.Snapshot added = exchange.getAttribute(SNAPSHOT); // of the handler
        if (added == null) {
            added = add(snapshot, route);
            exchange.getAttributes().put(SNAPSHOT, added);
            Coroutines.begin(exchange, added);
        }
        return context.put(RecordingContextAccessor.KEY, added);
    }

    @SuppressWarnings("try")
    private static RecordingContext.Snapshot add(RecordingContext.Snapshot request, String route) {
        try (RecordingContext.Activation activation = request.activate()) {
            return RecordingContext.where(ROUTE, route).snapshot();
        }
    }
}
