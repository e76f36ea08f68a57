// SPDX-License-Identifier: Apache-2.0
package dev.loupe.internal.carry;

/** A Runnable with contexts. */
public final class CarriedRunnable
        extends CarriedTask<Runnable, RuntimeException> implements Runnable {
    CarriedRunnable(Runnable task, Carried carried, boolean isStage) {
        super(task, carried, isStage);
    }

    @Override
    Object call(Object first, Object second) {
        task.run();
        return null;
    }

    @Override
    public void run() {
        callInContexts(null, null);
    }
}
