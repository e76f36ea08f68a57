// SPDX-License-Identifier: Apache-2.0
package dev.loupe.opentracing;

import dev.loupe.ContextType;
import io.opentracing.Scope;
import io.opentracing.ScopeManager;
import io.opentracing.Span;
import jdk.jfr.Description;
import jdk.jfr.Label;
import jdk.jfr.Name;

/**
 * The context of a span, and the scope that deactivates the span: one object for both.
 *
 * <p>Which span is active is always asked of the manager. So scopes that are closed twice, in a
 * wrong order or on a wrong thread need no care here.
 */
@Name("opentracing.Span")
@Label("OpenTracing Span")
@Description("The span that the thread was working for")
final class ActiveSpan extends ContextType implements Scope {
    private final transient ScopeManager manager;
    private final transient Scope scope;

    @Name("trace_id") @Label("Trace Id") private String traceId;
    @Name("span_id") @Label("Span Id") private String spanId;

    ActiveSpan(ScopeManager manager, Scope scope) {
        this.manager = manager;
        this.scope = scope;
    }

    /** Begins the context of the active span, or none. Returns whether contexts are recorded. */
    boolean show() {
        if (!isActive()) {
            return false;
        }
        Span span = manager.activeSpan();
        traceId = span == null ? "" : span.context().toTraceId();
        if (traceId.isEmpty()) { // a tracer that does nothing has no ids
            unset();
        } else {
            spanId = span.context().toSpanId();
            set();
        }
        return true;
    }

    @Override
    public void close() {
        scope.close();
        show();
    }
}
