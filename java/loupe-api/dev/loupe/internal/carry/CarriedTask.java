// SPDX-License-Identifier: Apache-2.0
package dev.loupe.internal.carry;

/**
 * A task of the application with the contexts of the thread that handed it over.
 *
 * @param <T> the type of the task
 * @param <E> the checked exceptions that it may throw
 */
public abstract class CarriedTask<T, E extends Exception> extends HandOver {
    final T task;

    CarriedTask(T task, Carried carried, boolean isStage) {
        super(carried, isStage);
        this.task = task;
    }

    /** Returns the application's task. */
    public final T task() {
        return task;
    }

    /** Calls the application's task. Returns null if it returns nothing. */
    abstract Object call(Object first, Object second) throws E;

    /** Does the same with the contexts. */
    final Object callInContexts(Object first, Object second) throws E {
        TakenUp takenUp = TakenUp.begin(this);
        try {
            return call(first, second);
        } finally {
            TakenUp.end(takenUp);
        }
    }

    @Override
    public final String toString() {
        return task.toString();
    }
}
