// SPDX-License-Identifier: Apache-2.0
package dev.loupe.opentracing;

import dev.loupe.Loupe;
import io.opentracing.Scope;
import io.opentracing.ScopeManager;
import io.opentracing.Span;
import java.util.Objects;

/**
 * Wraps a scope manager and shows its active span as a context of the type
 * {@code opentracing.Span}, with the attributes {@code trace_id} and {@code span_id}:
 *
 * <pre>{@code
 * Tracer tracer = new JaegerTracer.Builder("shop")
 *     .withScopeManager(new LoupeScopeManager(new ThreadLocalScopeManager()))
 *     .build();
 * }</pre>
 *
 * <p>The context changes with the thread's active span, and ends when no span is active. Without
 * an agent it returns the scopes of the wrapped manager.
 */
public final class LoupeScopeManager implements ScopeManager {
    private final ScopeManager manager;

    /**
     * Creates a manager.
     *
     * @param manager knows which span is active
     */
    public LoupeScopeManager(ScopeManager manager) {
        this.manager = Objects.requireNonNull(manager, "manager");
        Loupe.registerContext(ActiveSpan.class);
    }

    @Override
    public Scope activate(Span span) {
        Scope scope = manager.activate(span);
        ActiveSpan active = new ActiveSpan(manager, scope);
        return active.show() ? active : scope;
    }

    @Override
    public Span activeSpan() {
        return manager.activeSpan();
    }
}
