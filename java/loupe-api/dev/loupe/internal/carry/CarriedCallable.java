// SPDX-License-Identifier: Apache-2.0
package dev.loupe.internal.carry;

import java.util.concurrent.Callable;

/** A Callable with contexts. */
public final class CarriedCallable<V> extends CarriedTask<Callable<V>> implements Callable<V> {
    CarriedCallable(Callable<V> task, Carried carried) {
        super(task, carried);
    }

    @Override
    public V call() throws Exception {
        TakenUp takenUp = begin();
        try {
            return task.call();
        } finally {
            end(takenUp);
        }
    }
}
