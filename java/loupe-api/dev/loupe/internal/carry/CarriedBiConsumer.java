// SPDX-License-Identifier: Apache-2.0
package dev.loupe.internal.carry;

import java.util.function.BiConsumer;

/** A BiConsumer with contexts. */
public final class CarriedBiConsumer<T, U>
        extends CarriedTask<BiConsumer<T, U>, RuntimeException> implements BiConsumer<T, U> {
    CarriedBiConsumer(BiConsumer<T, U> task, Carried carried) {
        super(task, carried, true);
    }

    @Override
    @SuppressWarnings("unchecked")
    Object call(Object first, Object second) {
        task.accept((T) first, (U) second);
        return null;
    }

    @Override
    public void accept(T first, U second) {
        callInContexts(first, second);
    }
}
