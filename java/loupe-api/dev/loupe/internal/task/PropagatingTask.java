// SPDX-License-Identifier: Apache-2.0
package dev.loupe.internal.task;

import java.util.concurrent.Executors;

/** A task that takes something along. */
public record PropagatingTask(Runnable task, Propagation propagation) implements Runnable {
    @Override
    public void run() {
        try {
            propagation.call(Executors.callable(task));
        } catch (Throwable e) {
            throw PropagatingTask.<RuntimeException>asIs(e);
        }
    }

    // Exceptions of a task are passed on unchanged, also undeclared checked ones.
    @SuppressWarnings("unchecked")
    private static <E extends Throwable> E asIs(Throwable e) throws E {
        throw(E) e;
    }

    @Override
    public String toString() {
        return task.toString();
    }
}
