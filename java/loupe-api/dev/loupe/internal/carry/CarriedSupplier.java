// SPDX-License-Identifier: Apache-2.0
package dev.loupe.internal.carry;

import java.util.function.Supplier;

/** A Supplier with contexts. */
public final class CarriedSupplier<T> extends CarriedTask<Supplier<T>> implements Supplier<T> {
    CarriedSupplier(Supplier<T> task, Carried carried) {
        super(task, carried);
    }

    @Override
    public T get() {
        TakenUp takenUp = begin();
        try {
            return task.get();
        } finally {
            end(takenUp);
        }
    }
}
