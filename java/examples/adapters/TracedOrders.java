// SPDX-License-Identifier: Apache-2.0
package shop;

import dev.loupe.opentracing.LoupeScopeManager;
import io.jaegertracing.internal.JaegerTracer;
import io.opentracing.Scope;
import io.opentracing.Span;
import io.opentracing.Tracer;
import io.opentracing.util.ThreadLocalScopeManager;

/** Work in a span of OpenTracing, which is a context. */
public final class TracedOrders {
    private final Tracer tracer =
            new JaegerTracer.Builder("shop")
                    .withScopeManager(new LoupeScopeManager(new ThreadLocalScopeManager()))
                    .build();

    /** Does the work of an order. */
    @SuppressWarnings("try")
    public void order(Runnable work) {
        Span span = tracer.buildSpan("order").start();
        try (Scope scope = tracer.activateSpan(span)) {
            work.run();
        } finally {
            span.finish();
        }
    }
}
