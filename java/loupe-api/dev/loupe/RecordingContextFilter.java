// SPDX-License-Identifier: Apache-2.0
package dev.loupe;

import dev.loupe.internal.Agent;
import dev.loupe.internal.ContextFilters;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Consumer;
import jdk.jfr.EventType;

/**
 * A rule for which events of this JVM are kept, by the {@link RecordingContext} that was installed
 * on their thread.
 *
 * <pre>{@code
 * RecordingContextFilter filter = RecordingContextFilter.Config.createFilter()
 *     .forAllTypes(t -> t.hasContext())
 *     .forType(EventType.getEventType(Payment.class), t -> t.hasEntry(ENDPOINT, "/pay"))
 *     .build();
 * RecordingContextFilter.Config.setContextFilter(filter);
 * }</pre>
 *
 * <p>The meaning is that of the draft JEP JDK-8284453. An event is kept if the context at its
 * commit time meets the conditions for its type. For a type that is named in {@code forType} only
 * those conditions apply, for all others those of {@code forAllTypes}; without either, everything
 * is kept.
 *
 * <ul>
 * <li>A type is known by its name.
 * <li>Contextual types are not filtered: such an event is kept if something happened in it.
 * <li>{@code forAllTypes} is about events that have a thread. Of the others, such as a JVM's
 * settings or its heap after a collection, no context could ever apply.
 * </ul>
 *
 * <p>A filter applies to events that are committed after it was set. The previous filter decides
 * earlier events, even if the collector does not have them yet. The collector evaluates filters, so
 * they save nothing in this JVM.
 *
 * <p>If the collector's policy has a filter, too, an event must pass both.
 *
 * <p>A filter has up to 64 KiB of names and values. While the collector is unreachable, the agent
 * remembers 1,023 filters with 256 KiB. A filter over a limit is refused, logged and counted; then
 * all events are kept until another filter is set.
 */
public final class RecordingContextFilter {
    static {
        RecordingContext.load();
    }

    private final String[] rules; // the name of a type, "" for all, and its terms, again and again

    private RecordingContextFilter(String[] rules) {
        this.rules = rules;
    }

    /** The filter that is set, and builders of others. */
    public static final class Config {
        private static RecordingContextFilter current;

        private Config() {}

        /**
         * Returns a builder of a filter.
         *
         * @return the builder, without conditions yet
         */
        public static Builder createFilter() {
            return new Builder();
        }

        /**
         * Sets the filter of this JVM, in place of the one before.
         *
         * <p>Without an agent in this JVM it is only stored. If the agent is loaded later, it holds
         * from then on.
         *
         * @param filter the filter; null for none: everything is kept from now on
         */
        public static synchronized void setContextFilter(RecordingContextFilter filter) {
            current = filter;
            String[] rules = filter == null ? new String[0] : filter.rules;
            Agent.filter = rules;
            if (Agent.isActive && Agent.sink == null) {
                ContextFilters.set(rules);
            }
        }

        /**
         * Returns the filter that was set last.
         *
         * @return the filter; null: none is set
         */
        public static synchronized RecordingContextFilter contextFilter() {
            return current;
        }
    }

    /** A builder of a filter, for one thread at a time. */
    public static final class Builder {
        private final Map<String, PerTypeBuilder> types = new LinkedHashMap<>();

        private Builder() {}

        /**
         * Adds conditions for the events whose type is not named in {@link #forType}.
         *
         * @param terms gets the builder of these conditions; conditions of earlier calls stay
         * @return this
         */
        public Builder forAllTypes(Consumer<PerTypeBuilder> terms) {
            return add("", terms);
        }

        /**
         * Adds conditions for the events of a type. The conditions for all types do not apply to
         * it: if none is added here, all of its events are kept.
         *
         * @param type the type
         * @param terms gets the builder of these conditions; conditions of earlier calls for this
         *         type stay
         * @return this
         */
        public Builder forType(EventType type, Consumer<PerTypeBuilder> terms) {
            return add(type.getName(), terms);
        }

        private Builder add(String type, Consumer<PerTypeBuilder> terms) {
            Objects.requireNonNull(terms, "terms");
            terms.accept(types.computeIfAbsent(type, name -> new PerTypeBuilder()));
            return this;
        }

        /**
         * Creates the filter. This builder can be used on; the filter does not change any more.
         *
         * @return the filter
         */
        public RecordingContextFilter build() {
            String[] rules = new String[2 * types.size()];
            int end = 0;
            for (Map.Entry<String, PerTypeBuilder> type : types.entrySet()) {
                rules[end++] = type.getKey();
                rules[end++] = String.join(" and ", type.getValue().terms);
            }
            return new RecordingContextFilter(rules);
        }
    }

    /** The conditions for the events of one type, or of all: an event must meet each of them. */
    public static final class PerTypeBuilder {
        private static final int TERMS_MAX = 16; // POLICY_FILTER_TERMS_MAX

        private final Set<String> terms = new LinkedHashSet<>(); // in the policy's syntax

        private PerTypeBuilder() {}

        /**
         * Removes all conditions.
         *
         * @return this
         */
        public PerTypeBuilder reset() {
            terms.clear();
            return this;
        }

        /**
         * Requires that there is a context.
         *
         * @return this
         * @throws IllegalArgumentException if it is the 17th condition
         */
        public PerTypeBuilder hasContext() {
            return add("has-context");
        }

        /**
         * Requires that there is no context.
         *
         * @return this
         * @throws IllegalArgumentException if it is the 17th condition
         */
        public PerTypeBuilder hasNoContext() {
            return add("has-no-context");
        }

        /**
         * Requires that the context has a key, with any value or null.
         *
         * @param key the key
         * @return this
         * @throws IllegalArgumentException if it is the 17th condition
         */
        public PerTypeBuilder hasKey(RecordingContextKey key) {
            return add("has-key " + quote(key.name()));
        }

        /**
         * Requires that the context has a key with this value. Of a value over 1,024 bytes of UTF-8
         * only these count, as only these are recorded.
         *
         * @param key the key
         * @param value the value; may be null
         * @return this
         * @throws IllegalArgumentException if the value contains the character 0, or it is the 17th
         *         condition
         */
        public PerTypeBuilder hasEntry(RecordingContextKey key, String value) {
            String name = quote(key.name());
            if (value != null && value.indexOf('\0') >= 0) {
                throw new IllegalArgumentException("a filter's value contains the character 0");
            }
            return add(
                    value == null ? "has-null " + name : "has-entry " + name + '=' + quote(value));
        }

        private PerTypeBuilder add(String term) {
            if (terms.size() == TERMS_MAX && !terms.contains(term)) {
                throw new IllegalArgumentException(
                        "a filter says over " + TERMS_MAX + " things of one type");
            }
            terms.add(term);
            return this;
        }

        private static String quote(String text) {
            return '"' + text.replace("\\", "\\\\").replace("\"", "\\\"") + '"';
        }
    }
}
