// SPDX-License-Identifier: Apache-2.0
package dev.loupe.internal.carry;

import java.util.function.Function;

/** A Function with contexts. */
public final class CarriedFunction<T, R>
        extends CarriedTask<Function<T, R>> implements Function<T, R> {
    CarriedFunction(Function<T, R> task, Carried carried) {
        super(task, carried);
    }

    @Override
    public R apply(T value) {
        TakenUp takenUp = begin();
        try {
            return task.apply(value);
        } finally {
            end(takenUp);
        }
    }
}
