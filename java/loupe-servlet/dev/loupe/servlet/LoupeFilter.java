// SPDX-License-Identifier: Apache-2.0
package dev.loupe.servlet;

import dev.loupe.RecordingContext;
import dev.loupe.RecordingContextKey;
import dev.loupe.Request;
import dev.loupe.TraceParent;
import jakarta.servlet.DispatcherType;
import jakarta.servlet.Filter;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.ServletRequest;
import jakarta.servlet.ServletResponse;
import jakarta.servlet.http.HttpServletRequest;
import java.io.IOException;

/**
 * Makes each request a {@link RecordingContext} with these entries:
 *
 * <ul>
 * <li>{@code http_method}: {@code GET};
 * <li>{@code http_path}: {@code /orders/17}, decoded, without query and path parameters;
 * <li>{@code trace_id}: that of the request's header {@code traceparent}, if it has a valid one.
 * </ul>
 *
 * <p>A web application that has the jar in {@code WEB-INF/lib} has the filter, before all others. A
 * program that registers it by itself does so for the dispatcher types {@code REQUEST},
 * {@code ASYNC} and {@code ERROR}, and as supporting asynchronous requests.
 *
 * <p>The context is installed on a thread while the thread works for the request. It ends when an
 * asynchronous request leaves its first thread. Each dispatch of the request has a context with the
 * same entries, whatever path it is dispatched to. It goes to threads of the application's by
 * {@link dev.loupe.Loupe#wrap(Runnable)}.
 *
 * <p>All these contexts belong to one {@link Request}. It ends when the filter returns, or when the
 * container completes an asynchronous request. An error page comes after that.
 */
public final class LoupeFilter implements Filter {
    private static final String SERVED = LoupeFilter.class.getName() + ".served";

    private static final RecordingContextKey METHOD = RecordingContextKey.forName("http_method");
    private static final RecordingContextKey PATH = RecordingContextKey.forName("http_path");
    private static final RecordingContextKey TRACE_ID = RecordingContextKey.forName("trace_id");

    /** The common entries of a request's contexts. A missing trace id is null. */
    private record Entries(String method, String path, String traceId) {
        static Entries of(HttpServletRequest request) {
            String info = request.getPathInfo();
            String path = request.getContextPath() + request.getServletPath()
                    + (info == null ? "" : info);
            return new Entries(request.getMethod(), path,
                    TraceParent.traceId(request.getHeader(TraceParent.HEADER)));
        }

        RecordingContext install() {
            RecordingContext.Builder context =
                    RecordingContext.where(METHOD, method).where(PATH, path);
            return (traceId == null ? context : context.where(TRACE_ID, traceId)).build();
        }
    }

    /** What further dispatches of a request know. */
    private record Served(Entries entries, RecordingContext.Snapshot request) {}

    /** Creates a filter. It needs no configuration. */
    public LoupeFilter() {}

    @Override
    @SuppressWarnings("try")
    public void doFilter(ServletRequest request, ServletResponse response, FilterChain chain)
            throws IOException, ServletException {
        Object known = request.getAttribute(SERVED);
        if (!(request instanceof HttpServletRequest http) || known != null && isInside(request)) {
            chain.doFilter(request, response);
        } else if (known instanceof Served served) {
            try (RecordingContext.Activation again = served.request.activate();
                    RecordingContext context = served.entries.install()) {
                chain.doFilter(request, response);
            }
        } else {
            serve(http, response, chain);
        }
    }

    @SuppressWarnings("try")
    private static void serve(HttpServletRequest http, ServletResponse response, FilterChain chain)
            throws IOException, ServletException {
        Entries entries = Entries.of(http);
        boolean isRecorded = false;
        Request request = Request.begin();
        try {
            RecordingContext.Snapshot begun = RecordingContext.snapshot();
            try (RecordingContext context = entries.install()) {
                isRecorded = METHOD.isBound(); // there is an agent
                if (isRecorded) {
                    http.setAttribute(SERVED, new Served(entries, begun));
                }
                chain.doFilter(http, response);
            }
        } finally {
            if (isRecorded && http.isAsyncStarted()) {
                endLater(http, request);
            } else {
                request.end();
            }
        }
    }

    private static void endLater(HttpServletRequest http, Request request) {
        try {
            http.getAsyncContext().addListener(new EndListener(request));
            request.leave();
        } catch (IllegalStateException e) { // it is complete
            request.end();
        }
    }

    // A forward, an include, or the filter once more, in a request that has its context.
    private static boolean isInside(ServletRequest request) {
        DispatcherType type = request.getDispatcherType();
        return type != DispatcherType.ASYNC && type != DispatcherType.ERROR;
    }
}
