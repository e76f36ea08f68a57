// SPDX-License-Identifier: Apache-2.0
package dev.loupe.internal.carry;

import java.util.function.Consumer;

/** A Consumer with contexts. */
public final class CarriedConsumer<T> extends CarriedTask<Consumer<T>> implements Consumer<T> {
    CarriedConsumer(Consumer<T> task, Carried carried) {
        super(task, carried);
    }

    @Override
    public void accept(T value) {
        TakenUp takenUp = begin();
        try {
            task.accept(value);
        } finally {
            end(takenUp);
        }
    }
}
