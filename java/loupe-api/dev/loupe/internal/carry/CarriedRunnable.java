// SPDX-License-Identifier: Apache-2.0
package dev.loupe.internal.carry;

/** A Runnable with contexts. */
public final class CarriedRunnable extends CarriedTask<Runnable> implements Runnable {
    CarriedRunnable(Runnable task, HandOver handOver) {
        super(task, handOver);
    }

    @Override
    public void run() {
        TakenUp takenUp = begin();
        try {
            task.run();
        } finally {
            end(takenUp);
        }
    }
}
