// SPDX-License-Identifier: Apache-2.0
package dev.loupe.examples;

import dev.loupe.ContextAccess;
import java.util.concurrent.Callable;

/**
 * Makes the value of a JDK 25 {@code ScopedValue} a context as long as it is bound. To be copied
 * into an application: the API itself also runs on JDKs that have no scoped values.
 *
 * <pre>{@code
 * @Name("shop.Request")
 * record Request(@Name("traceid") String traceid, @Name("endpoint") String endpoint) {}
 *
 * static final ScopedValue<Request> REQUEST = ScopedValue.newInstance();
 * static final ScopedContext<Request> CONTEXT = new ScopedContext<>(REQUEST, Request.class);
 *
 * CONTEXT.run(new Request(traceid, "/checkout"), () -> serve());   // REQUEST is bound in serve
 * }</pre>
 *
 * @param <T> a class for {@link ContextAccess}
 */
public final class ScopedContext<T> {
    private final ScopedValue<T> value;
    private final ContextAccess<T> access;

    public ScopedContext(ScopedValue<T> value, Class<T> type) {
        this.value = value;
        this.access = ContextAccess.forType(type);
    }

    /** Binds the value for the time of a call, and sets it as the current thread's context. */
    public <R, X extends Throwable> R call(T bound, ScopedValue.CallableOp<? extends R, X> op)
            throws X {
        try {
            return ScopedValue.where(value, bound).<R, X>call(() -> {
                access.set(bound);
                return op.call();
            });
        } finally {
            setCurrent();
        }
    }

    /** As {@link #call}, without a result. */
    public void run(T bound, Runnable op) {
        call(bound, () -> {
            op.run();
            return null;
        });
    }

    /**
     * The threads of a StructuredTaskScope inherit the value, while a context is of one thread: so
     * {@code scope.fork(CONTEXT.inherit(task))} sets it there.
     */
    public <R> Callable<R> inherit(Callable<R> task) {
        return () -> {
            setCurrent();
            try {
                return task.call();
            } finally {
                access.unset();
            }
        };
    }

    // The binding of the current thread; after the end of a binding it is the enclosing one.
    private void setCurrent() {
        access.set(value.isBound() ? value.get() : null);
    }
}
