// SPDX-License-Identifier: Apache-2.0
package dev.loupe.internal.ring;

/** The class of this name in a loupe.jar of another build than the agent. */
public final class RingLayout {
    static final String ALL = "RECORD_SET=1 RECORD_UNSET=2 RING_BYTES=65536";

    private RingLayout() {}
}
