// SPDX-License-Identifier: Apache-2.0
package dev.loupe.internal.carry;

/** A Runnable with contexts. */
public final class CarriedRunnable extends CarriedTask<Runnable> implements Runnable {
    CarriedRunnable(Runnable task, Carried carried) {
        super(task, carried);
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
