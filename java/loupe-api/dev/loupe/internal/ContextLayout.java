// SPDX-License-Identifier: Apache-2.0
package dev.loupe.internal;

/**
 * A registered context type as the writer of records needs it. Refers to no class of the
 * application.
 */
final class ContextLayout {
    final int id; // 1 and up
    final int[] kinds; // RingLayout.KIND_...
    final long[] offsets; // of the fields, for Unsafe
    final boolean hasSequences; // a text may be another CharSequence than String

    ContextLayout(int id, int[] kinds, long[] offsets, boolean hasSequences) {
        this.id = id;
        this.kinds = kinds;
        this.offsets = offsets;
        this.hasSequences = hasSequences;
    }
}
