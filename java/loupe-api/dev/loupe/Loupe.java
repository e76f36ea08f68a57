// SPDX-License-Identifier: Apache-2.0
package dev.loupe;

import dev.loupe.internal.Agent;
import dev.loupe.internal.ContextSink;
import dev.loupe.internal.ContextTypes;
import java.util.Objects;

/** The entry to Loupe. */
public final class Loupe {
    private Loupe() {}

    /**
     * Registers a context type. Registering it again changes nothing, also when another class
     * loader has loaded its class again.
     *
     * @param type the type
     * @return {@code true} if contexts of this type are recorded from now on; {@code false} if
     *         there is no agent in this
     *     JVM, or if the type has more attributes than are left (8 over all registered types),
     * which is logged
     * @throws IllegalArgumentException if the type is abstract, has no attribute or two of the same
     *         name. Without an agent
     *     this is not checked
     */
    public static boolean registerContext(Class<? extends ContextType> type) {
        Objects.requireNonNull(type, "type");
        if (!Agent.isActive) {
            return false;
        }
        ContextSink sink = Agent.sink;
        if (sink == null) {
            return ContextTypes.register(type);
        }
        sink.register(type);
        return true;
    }
}
