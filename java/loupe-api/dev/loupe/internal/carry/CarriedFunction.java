// SPDX-License-Identifier: Apache-2.0
package dev.loupe.internal.carry;

import java.util.function.Function;

/** A Function with contexts. */
public final class CarriedFunction<T, R>
        extends CarriedTask<Function<T, R>, RuntimeException> implements Function<T, R> {
    CarriedFunction(Function<T, R> task, Carried carried) {
        super(task, carried, true);
    }

    @Override
    @SuppressWarnings("unchecked")
    Object call(Object first, Object second) {
        return task.apply((T) first);
    }

    @Override
    @SuppressWarnings("unchecked")
    public R apply(T value) {
        return (R) callInContexts(value, null);
    }
}
