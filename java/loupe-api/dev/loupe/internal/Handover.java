// SPDX-License-Identifier: Apache-2.0
package dev.loupe.internal;

/** What the agent hands to the Java side, before Rings is initialised. */
final class Handover {
    /**
     * Where the rings are: addresses of controls, cells, and what they have in common. Null without
     * agent.
     */
    static long[] rings;

    private Handover() {}
}
