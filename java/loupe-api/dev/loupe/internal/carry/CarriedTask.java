// SPDX-License-Identifier: Apache-2.0
package dev.loupe.internal.carry;

/** A task of the application with the contexts of the thread that handed it over. */
public abstract class CarriedTask<T> extends HandOver {
    final T task;

    CarriedTask(T task, Carried carried) {
        super(carried);
        this.task = task;
    }

    /** Returns the application's task. */
    public final T task() {
        return task;
    }

    final TakenUp begin() {
        return TakenUp.begin(this);
    }

    static void end(TakenUp takenUp) {
        if (takenUp != null) {
            takenUp.end();
        }
    }

    @Override
    public final String toString() {
        return task.toString();
    }
}
