// SPDX-License-Identifier: Apache-2.0
package dev.loupe.internal;

/** Takes contexts in place of the agent, in the unit tests of an application. */
public interface ContextSink {
    /** Registers a subclass of ContextType, or reports why it does not fit. */
    void register(Class<?> type);

    /** Ends the current thread's context of the type and begins one with the values of context. */
    void set(Class<?> type, Object context);

    /** Ends the current thread's context of the type. */
    void unset(Class<?> type);

    /**
     * Ends the current thread's RecordingContext and begins one with these entries, or none if they
     * are null.
     */
    void install(String[] names, String[] values);
}
