// SPDX-License-Identifier: Apache-2.0
package dev.loupe.testing;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * A context that was set, as it was known when {@link ContextRecorder#contexts} was called.
 *
 * <p>Two of them are equal if they have the same type and the same attributes, whatever thread and
 * time they are of. So those that a test expects can be made by {@link #of}.
 */
public final class RecordedContext {
    private final String typeName;
    private final Map<String, Object> attributes;
    private final Thread thread;
    private final List<RecordedContext> enclosing;
    private final long begin;
    private final long end;
    private final boolean isOpen;

    RecordedContext(String typeName, Map<String, Object> attributes, Thread thread,
            List<RecordedContext> enclosing, long begin, long end, boolean isOpen) {
        this.typeName = typeName;
        this.attributes = Collections.unmodifiableMap(attributes);
        this.thread = thread;
        this.enclosing = List.copyOf(enclosing);
        this.begin = begin;
        this.end = end;
        this.isOpen = isOpen;
    }

    /**
     * Creates a context to compare with. It has no thread and did not happen.
     *
     * @param typeName the name of the type
     * @param namesAndValues name and value of each attribute, in any order; numbers must have the
     *         type of the
     *     attribute
     * @return the context
     */
    public static RecordedContext of(String typeName, Object... namesAndValues) {
        if (namesAndValues.length % 2 != 0) {
            throw new IllegalArgumentException("a name without a value");
        }
        Map<String, Object> attributes = new LinkedHashMap<>();
        for (int i = 0; i < namesAndValues.length; i += 2) {
            attributes.put((String) namesAndValues[i], namesAndValues[i + 1]);
        }
        return new RecordedContext(typeName, attributes, null, List.of(), 0, 0, false);
    }

    /**
     * Returns the name of the type.
     *
     * @return that of its {@code @Name}, or of its class
     */
    public String typeName() {
        return typeName;
    }

    /**
     * Returns all attributes.
     *
     * @return values by name, in the order in which they are declared; texts as {@code String},
     *         which may be null
     */
    public Map<String, Object> attributes() {
        return attributes;
    }

    /**
     * Returns the value of an attribute.
     *
     * @param name its name
     * @return the value; may be null
     * @throws IllegalArgumentException if the type has no such attribute
     */
    public Object value(String name) {
        if (!attributes.containsKey(name)) {
            throw new IllegalArgumentException(
                    typeName + " has no attribute " + name + ", but " + attributes.keySet());
        }
        return attributes.get(name);
    }

    /**
     * Returns the thread that set it.
     *
     * @return the thread, which the context applies to
     */
    public Thread thread() {
        return thread;
    }

    /**
     * Returns whether it is open: it was not unset, no other context of the type was set, and its
     * thread has not ended.
     *
     * @return whether it was open when {@link ContextRecorder#contexts} was called
     */
    public boolean isOpen() {
        return isOpen;
    }

    /**
     * Returns the contexts that were open on its thread when it began.
     *
     * @return of each other type at most one, in the order in which they began
     */
    public List<RecordedContext> enclosing() {
        return enclosing;
    }

    /**
     * Returns when it began, in an order over all threads: of contexts beginning and ending, which
     * this was.
     *
     * @return 1 and up
     */
    public long begin() {
        return begin;
    }

    /**
     * Returns when it ended, in the order of {@link #begin}.
     *
     * @return {@code Long.MAX_VALUE} if it is open, or was when its thread ended
     */
    public long end() {
        return end;
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof RecordedContext context && typeName.equals(context.typeName)
                && attributes.equals(context.attributes);
    }

    @Override
    public int hashCode() {
        return Objects.hash(typeName, attributes);
    }

    @Override
    public String toString() {
        return typeName + attributes;
    }
}
