// SPDX-License-Identifier: Apache-2.0
package dev.loupe.internal;

/** The class of this name in a loupe.jar whose classes call other methods than the agent has. */
public final class Agent {
    public static volatile boolean isActive;
    public static volatile ContextSink sink;
    public static volatile String[] filter;

    private Agent() {}
}
