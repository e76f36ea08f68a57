// SPDX-License-Identifier: Apache-2.0
package dev.loupe.internal.agent;

/** The addresses that the agent hands to the Java side, before {@code Rings} is initialised. */
public final class Handover {
    /**
     * The addresses of the rings' controls, cells, and common words. Null without agent.
     */
    public static long[] rings;

    private Handover() {}
}
