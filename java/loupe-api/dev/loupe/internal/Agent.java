// SPDX-License-Identifier: Apache-2.0
package dev.loupe.internal;

import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.List;

/**
 * Tells whether the agent is in this JVM. Refers to nothing that needs it.
 *
 * <p>When the agent is loaded into a running JVM, the application may have its own copy of this
 * class and of the API already. Such a copy becomes active if the classes that it would load next
 * are those of the agent.
 */
public final class Agent {
    /**
     * Whether contexts are recorded. Set once, by the agent, until it turns itself off;
     * or by a sink for its time.
     */
    public static volatile boolean isActive;

    /**
     * Takes the contexts instead of the agent, if isActive. Null: there never was one, or the agent
     * came. Not so after its time, when whoever saw isActive before may still be on the way here.
     */
    public static volatile ContextSink sink;

    /** The rules of the RecordingContextFilter that was set last. Null: there never was one. */
    public static volatile String[] filter;

    // The types that were registered while there was no agent, in that order, each once. Weak, as
    // the agent may never come and must not keep their loaders alive until then.
    private static List<WeakReference<Class<?>>> early = new ArrayList<>();

    private Agent() {}

    /**
     * Keeps a context type for the agent.
     *
     * @return false if the agent, or a sink, is here
     */
    public static synchronized boolean keep(Class<?> type) {
        if (isActive) {
            return false;
        }
        List<WeakReference<Class<?>>> kept = new ArrayList<>();
        boolean isKept = false;
        for (WeakReference<Class<?>> reference : early) {
            Class<?> other = reference.get();
            isKept |= other == type;
            if (other != null) {
                kept.add(reference);
            }
        }
        if (!isKept) {
            kept.add(new WeakReference<>(type));
        }
        early = kept;
        return true;
    }

    /**
     * Called by the agent, until it gives nothing: then contexts are recorded.
     *
     * @return the types that were kept since the last call
     */
    public static synchronized Class<?>[] activate() {
        List<Class<?>> types = new ArrayList<>();
        for (WeakReference<Class<?>> reference : early) {
            Class<?> type = reference.get();
            if (type != null) {
                types.add(type);
            }
        }
        early = new ArrayList<>();
        if (types.isEmpty()) {
            sink = null; // of unit tests
            isActive = true;
        }
        return types.toArray(new Class<?>[ 0 ]);
    }
}
