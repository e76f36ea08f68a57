// SPDX-License-Identifier: Apache-2.0
package dev.loupe.internal.task;

import java.util.concurrent.Callable;

/** A task that takes something along. */
public record PropagatingCallable<V>(Callable<V> task, Propagation propagation)
        implements Callable<V> {
    @Override
    @SuppressWarnings("unchecked")
    public V call() throws Exception {
        return (V) propagation.call(task);
    }

    @Override
    public String toString() {
        return task.toString();
    }
}
