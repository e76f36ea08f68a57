// SPDX-License-Identifier: Apache-2.0
package dev.loupe.internal.carry;

import java.util.function.BiFunction;

/** A BiFunction with contexts. */
public final class CarriedBiFunction<T, U, R>
        extends CarriedTask<BiFunction<T, U, R>> implements BiFunction<T, U, R> {
    CarriedBiFunction(BiFunction<T, U, R> task, Carried carried) {
        super(task, carried);
    }

    @Override
    public R apply(T first, U second) {
        TakenUp takenUp = begin();
        try {
            return task.apply(first, second);
        } finally {
            end(takenUp);
        }
    }
}
