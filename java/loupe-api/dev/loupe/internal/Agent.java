// SPDX-License-Identifier: Apache-2.0
package dev.loupe.internal;

/**
 * Tells whether the agent is in this JVM. Refers to nothing that needs it.
 *
 * <p>When the agent is loaded into a running JVM, the application may have its own copy of this
 * class and of the API already. Such a copy becomes active if the classes that it would load next
 * are those of the agent.
 */
public final class Agent {
    /** Whether contexts are recorded. Set once, by the agent; or by a sink for its time. */
    public static volatile boolean isActive;

    /**
     * Takes the contexts instead of the agent, if isActive. Null: there never was one, or the agent
     * came. Not so after its time, when whoever saw isActive before may still be on the way here.
     */
    public static volatile ContextSink sink;

    /** The rules of the RecordingContextFilter that was set last. Null: there never was one. */
    public static volatile String[] filter;

    private Agent() {}
}
