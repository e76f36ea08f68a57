// SPDX-License-Identifier: Apache-2.0
package dev.loupe.internal.carry;

import java.util.function.Supplier;

/** A Supplier with contexts. */
public final class CarriedSupplier<T>
        extends CarriedTask<Supplier<T>, RuntimeException> implements Supplier<T> {
    CarriedSupplier(Supplier<T> task, Carried carried) {
        super(task, carried, false);
    }

    @Override
    Object call(Object first, Object second) {
        return task.get();
    }

    @Override
    @SuppressWarnings("unchecked")
    public T get() {
        return (T) callInContexts(null, null);
    }
}
