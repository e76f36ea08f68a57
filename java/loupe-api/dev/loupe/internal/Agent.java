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
    /** Whether contexts are recorded. Set once, by the agent. */
    public static volatile boolean isActive;

    private Agent() {}
}
