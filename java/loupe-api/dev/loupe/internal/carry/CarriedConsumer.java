// SPDX-License-Identifier: Apache-2.0
package dev.loupe.internal.carry;

import java.util.function.Consumer;

/** A Consumer with contexts. */
public final class CarriedConsumer<T>
        extends CarriedTask<Consumer<T>, RuntimeException> implements Consumer<T> {
    CarriedConsumer(Consumer<T> task, Carried carried) {
        super(task, carried, true);
    }

    @Override
    @SuppressWarnings("unchecked")
    Object call(Object first, Object second) {
        task.accept((T) first);
        return null;
    }

    @Override
    public void accept(T value) {
        callInContexts(value, null);
    }
}
