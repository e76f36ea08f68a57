// SPDX-License-Identifier: Apache-2.0
package dev.loupe.testapps;

import dev.loupe.opentracing.LoupeScopeManager;
import io.jaegertracing.internal.JaegerTracer;
import io.jaegertracing.internal.reporters.InMemoryReporter;
import io.jaegertracing.internal.samplers.ConstSampler;
import io.opentracing.Scope;
import io.opentracing.Span;
import io.opentracing.noop.NoopTracerFactory;
import io.opentracing.util.ThreadLocalScopeManager;

/** Spans of Jaeger's tracer for OpenTracing, nested and on several threads. */
final class TracedSpans implements Adapters.Use {
    private final JaegerTracer tracer =
            new JaegerTracer.Builder("shop")
                    .withReporter(new InMemoryReporter())
                    .withSampler(new ConstSampler(true))
                    .withScopeManager(new LoupeScopeManager(new ThreadLocalScopeManager()))
                    .build();

    private static void work(String expected) {
        Adapters.work("opentracing.Span", expected);
    }

    private static String expected(Span span) {
        return "trace_id=" + span.context().toTraceId() + ",span_id=" + span.context().toSpanId();
    }

    @Override
    @SuppressWarnings("try")
    public void run() throws Exception {
        work("");
        Span request = tracer.buildSpan("request").start();
        work("");
        try (Scope outer = tracer.activateSpan(request)) {
            work(expected(request));
            Span query = tracer.buildSpan("query").start(); // a child of the active one
            try (Scope inner = tracer.activateSpan(query)) {
                work(expected(query));
                try (Scope again = tracer.activateSpan(request)) {
                    work(expected(request));
                }
                work(expected(query));
                try (Scope none = tracer.activateSpan(null)) {
                    work("");
                }
                try (Scope noop = tracer.activateSpan(
                             NoopTracerFactory.create().buildSpan("noop").start())) {
                    work("");
                }
                work(expected(query));
            }
            query.finish();
            work(expected(request));
            onAnotherThread(request);
            work(expected(request));
        }
        request.finish();
        work("");
    }

    @SuppressWarnings("try")
    private void onAnotherThread(Span request) throws Exception {
        Thread thread = new Thread(() -> {
            try (Scope scope = tracer.activateSpan(request)) {
                work(expected(request));
                Scope twice = tracer.activateSpan(tracer.buildSpan("closed").start());
                twice.close();
                twice.close();
                work(expected(request));
            }
            work("");
        });
        thread.start();
        thread.join();
    }
}
