// SPDX-License-Identifier: Apache-2.0
package dev.loupe.spring;

import dev.loupe.RecordingContext;
import dev.loupe.RecordingContextKey;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import org.springframework.web.servlet.AsyncHandlerInterceptor;
import org.springframework.web.servlet.HandlerMapping;

/** Adds to the context of a request the route of its handler, while that works for it. */
final class RouteInterceptor implements AsyncHandlerInterceptor {
    private static final RecordingContextKey ROUTE = RecordingContextKey.forName("http_route");
    private static final String OPEN = RouteInterceptor.class.getName() + ".open";

    /**
     * A context, null without a route, and the attribute that was there before: handlers nest by
     * forwarding.
     */
    private record Open(RecordingContext context, Object outer) {}

    @Override
    public boolean preHandle(
            HttpServletRequest request, HttpServletResponse response, Object handler) {
        Object route = request.getAttribute(HandlerMapping.BEST_MATCHING_PATTERN_ATTRIBUTE);
        RecordingContext context =
                route == null ? null : RecordingContext.where(ROUTE, route.toString()).build();
        request.setAttribute(OPEN, new Open(context, request.getAttribute(OPEN)));
        return true;
    }

    @Override
    public void afterConcurrentHandlingStarted(
            HttpServletRequest request, HttpServletResponse response, Object handler) {
        close(request);
    }

    @Override
    public void afterCompletion(HttpServletRequest request, HttpServletResponse response,
            Object handler, Exception problem) {
        close(request);
    }

    private static void close(HttpServletRequest request) {
        if (request.getAttribute(OPEN) instanceof Open open) {
            if (open.context != null) {
                open.context.close();
            }
            request.setAttribute(OPEN, open.outer);
        }
    }
}
