// SPDX-License-Identifier: Apache-2.0
package dev.loupe.internal;

import dev.loupe.internal.agent.Native;
import jdk.jfr.internal.JVM;

/**
 * The recorded side of RecordingContextFilters: each goes to the agent with the time from which it
 * holds.
 */
public final class ContextFilters {
    private ContextFilters() {}

    /**
     * Sets the filter of this JVM.
     *
     * @param rules the name of an event type, or "" for all, and its terms, again and again
     */
    public static synchronized void set(String[] rules) {
        byte[][] texts = new byte[rules.length][];
        for (int i = 0; i < rules.length; i++) {
            texts[i] = Native.utf8(rules[i]);
        }
        Native.setFilter(JVM.counterTime(), texts);
    }

    /**
     * Sets the filter that a copy of the API has, which became active before: from then on it
     * sets its filters by itself.
     */
    public static synchronized void adopt(Class<?> agent) throws ReflectiveOperationException {
        String[] rules = (String[]) agent.getField("filter").get(null);
        if (rules != null) {
            set(rules);
        }
    }
}
