// SPDX-License-Identifier: Apache-2.0
package dev.loupe.internal.carry;

import java.util.function.BiConsumer;

/** A BiConsumer with contexts. */
public final class CarriedBiConsumer<T, U>
        extends CarriedTask<BiConsumer<T, U>> implements BiConsumer<T, U> {
    CarriedBiConsumer(BiConsumer<T, U> task, Carried carried) {
        super(task, carried);
    }

    @Override
    public void accept(T first, U second) {
        TakenUp takenUp = begin();
        try {
            task.accept(first, second);
        } finally {
            end(takenUp);
        }
    }
}
