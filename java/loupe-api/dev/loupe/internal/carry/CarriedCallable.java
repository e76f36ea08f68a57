// SPDX-License-Identifier: Apache-2.0
package dev.loupe.internal.carry;

import java.util.concurrent.Callable;

/** A Callable with contexts. */
public final class CarriedCallable<V>
        extends CarriedTask<Callable<V>, Exception> implements Callable<V> {
    CarriedCallable(Callable<V> task, Carried carried) {
        super(task, carried, false);
    }

    @Override
    Object call(Object first, Object second) throws Exception {
        return task.call();
    }

    @Override
    @SuppressWarnings("unchecked")
    public V call() throws Exception {
        return (V) callInContexts(null, null);
    }
}
