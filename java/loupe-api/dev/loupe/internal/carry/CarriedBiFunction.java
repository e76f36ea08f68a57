// SPDX-License-Identifier: Apache-2.0
package dev.loupe.internal.carry;

import java.util.function.BiFunction;

/** A BiFunction with contexts. */
public final class CarriedBiFunction<T, U, R>
        extends CarriedTask<BiFunction<T, U, R>, RuntimeException> implements BiFunction<T, U, R> {
    CarriedBiFunction(BiFunction<T, U, R> task, Carried carried) {
        super(task, carried, true);
    }

    @Override
    @SuppressWarnings("unchecked")
    Object call(Object first, Object second) {
        return task.apply((T) first, (U) second);
    }

    @Override
    @SuppressWarnings("unchecked")
    public R apply(T first, U second) {
        return (R) callInContexts(first, second);
    }
}
