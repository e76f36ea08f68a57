// SPDX-License-Identifier: Apache-2.0
package dev.loupe.internal.task;

import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.concurrent.Executor;
import java.util.function.Supplier;

/** Has tasks take something along from the thread that submits them. */
public class PropagatingExecutor implements Executor {
    private final Executor delegate;
    private final Supplier<Propagation> current; // returns null if there is nothing to carry

    public PropagatingExecutor(Executor delegate, Supplier<Propagation> current) {
        this.delegate = Objects.requireNonNull(delegate, "executor");
        this.current = current;
    }

    @Override
    public final void execute(Runnable command) {
        delegate.execute(wrap(command));
    }

    final Runnable wrap(Runnable task) {
        Objects.requireNonNull(task, "task");
        Propagation propagation = current.get();
        return propagation == null ? task : new PropagatingTask(task, propagation);
    }

    final <V> Callable<V> wrap(Callable<V> task) {
        Objects.requireNonNull(task, "task");
        Propagation propagation = current.get();
        return propagation == null ? task : new PropagatingCallable<>(task, propagation);
    }

    @Override
    public final String toString() {
        return delegate.toString();
    }
}
