// SPDX-License-Identifier: Apache-2.0
package dev.loupe.internal;

import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.List;

/**
 * The switch between a JVM with the agent and one without. Refers to nothing that needs it.
 *
 * <p>When the agent is loaded into a running JVM, the application may have its own copy of this
 * class and of the API already. Such a copy becomes active if it would load further classes from
 * the agent.
 */
public final class Agent {
    /**
     * The version of the methods of the agent that the classes of the API call. A copy with another
     * version does not fit. Add one if you change or remove such a method.
     */
    public static final int VERSION = 2;

    /**
     * Whether contexts are recorded. Set once, by the agent, until it turns itself off;
     * or by a sink for its time.
     */
    public static volatile boolean isActive;

    /**
     * Takes the contexts instead of the agent, if isActive. Null: there was none, or the agent was
     * loaded. It stays set after its time, because threads that saw isActive may still use it.
     */
    public static volatile ContextSink sink;

    /** The rules of the RecordingContextFilter that was set last. Null: there never was one. */
    public static volatile String[] filter;

    // The types that were registered while there was no agent, in that order, each once. Weak, as
    // the agent may never come and must not keep their loaders alive until then. A list is never
    // changed, so that a type that is registered again costs no lock.
    private static volatile List<WeakReference<Class<?>>> early = List.of();

    private Agent() {}

    /**
     * Keeps a context type for the agent.
     *
     * @return false if the agent, or a sink, is here
     */
    public static boolean keep(Class<?> type) {
        return isKept(type) || add(type);
    }

    private static boolean isKept(Class<?> type) {
        List<WeakReference<Class<?>>> kept = early;
        for (int i = 0; i < kept.size(); i++) {
            if (kept.get(i).get() == type) {
                return true;
            }
        }
        return false;
    }

    private static synchronized boolean add(Class<?> type) {
        if (isActive) {
            return false;
        }
        List<WeakReference<Class<?>>> kept = new ArrayList<>();
        for (WeakReference<Class<?>> reference : early) {
            if (reference.get() != null) {
                kept.add(reference);
            }
        }
        if (!isKept(type)) {
            kept.add(new WeakReference<>(type));
        }
        early = kept;
        return true;
    }

    /**
     * Returns the types registered since the last call. If there are none, contexts are recorded
     * from now on.
     */
    public static synchronized Class<?>[] activate() {
        List<Class<?>> types = new ArrayList<>();
        for (WeakReference<Class<?>> reference : early) {
            Class<?> type = reference.get();
            if (type != null) {
                types.add(type);
            }
        }
        early = List.of();
        if (types.isEmpty()) {
            sink = null; // of unit tests
            isActive = true;
        }
        return types.toArray(new Class<?>[ 0 ]);
    }
}
