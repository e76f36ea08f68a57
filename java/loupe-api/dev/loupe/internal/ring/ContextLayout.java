// SPDX-License-Identifier: Apache-2.0
package dev.loupe.internal.ring;

/**
 * A registered context type as the writer of records needs it. Refers to no class of the
 * application.
 */
public final class ContextLayout {
    public final int id; // 1 and up
    public final int[] kinds; // RingLayout.KIND_...
    public final long[] offsets; // of the fields, for Unsafe
    public final boolean hasSequences; // a text may be another CharSequence than String

    public ContextLayout(int id, int[] kinds, long[] offsets, boolean hasSequences) {
        this.id = id;
        this.kinds = kinds;
        this.offsets = offsets;
        this.hasSequences = hasSequences;
    }
}
