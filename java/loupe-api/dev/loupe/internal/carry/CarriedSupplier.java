// SPDX-License-Identifier: Apache-2.0
package dev.loupe.internal.carry;

import java.util.function.Supplier;

/** A Supplier with contexts. */
public final class CarriedSupplier<T> extends CarriedTask<Supplier<T>> implements Supplier<T> {
    CarriedSupplier(Supplier<T> task, HandOver handOver) {
        super(task, handOver);
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
