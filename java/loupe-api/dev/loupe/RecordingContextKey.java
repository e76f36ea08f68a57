// SPDX-License-Identifier: Apache-2.0
package dev.loupe;

import dev.loupe.internal.Agent;
import java.util.Objects;

/**
 * A key of {@link RecordingContext}. Keys are the same key when their names are equal.
 */
public final class RecordingContextKey {
    static {
        RecordingContext.load();
    }

    private final String name;

    private RecordingContextKey(String name) {
        this.name = name;
    }

    /**
     * Returns the key of a name.
     *
     * <p>Names become names of fields in the recording. Use few of them: from the 65th name in a
     * JVM on, values are bound, but not recorded.
     *
     * @param name the name
     * @return the key
     * @throws IllegalArgumentException if the name is empty or contains the character 0
     */
    public static RecordingContextKey forName(String name) {
        Objects.requireNonNull(name, "name");
        if (name.isEmpty() || name.indexOf('\0') >= 0) {
            throw new IllegalArgumentException("not a name for a key: \"" + name + '"');
        }
        return new RecordingContextKey(name);
    }

    /**
     * Returns whether the context that is installed on the current thread has this key.
     *
     * @return whether it is bound, to null also. Without an agent in this JVM no context is ever
     *         installed, so nothing is bound
     */
    public boolean isBound() {
        return Agent.isActive && RecordingContext.Installed.current().has(name);
    }

    /**
     * Returns the name.
     *
     * @return the name
     */
    public String name() {
        return name;
    }

    /** Returns whether the other object is a key of the same name. */
    @Override
    public boolean equals(Object other) {
        return other instanceof RecordingContextKey key && key.name.equals(name);
    }

    /** Returns the hash code of the name. */
    @Override
    public int hashCode() {
        return name.hashCode();
    }

    /** Returns the name. */
    @Override
    public String toString() {
        return name;
    }
}
