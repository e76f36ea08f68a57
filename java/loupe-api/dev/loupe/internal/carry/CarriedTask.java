// SPDX-License-Identifier: Apache-2.0
package dev.loupe.internal.carry;

/** A task of the application with the contexts of the thread that handed it over. */
public abstract class CarriedTask<T> {
    final T task;
    private final HandOver handOver;

    CarriedTask(T task, HandOver handOver) {
        this.task = task;
        this.handOver = handOver;
    }

    /** Returns what the application handed over. */
    public final T task() {
        return task;
    }

    final TakenUp begin() {
        return TakenUp.begin(handOver);
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
