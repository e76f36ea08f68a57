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
    public final boolean isNoted; // OpenContexts learns of its contexts from the records
    public final boolean isMoment; // its records begin no contexts
    final boolean areWords; // all values are long or double

    public ContextLayout(int id, int[] kinds, long[] offsets, boolean hasSequences) {
        this(id, kinds, offsets, hasSequences, true, false);
    }

    private ContextLayout(int id, int[] kinds, long[] offsets, boolean hasSequences,
            boolean isNoted, boolean isMoment) {
        this.id = id;
        this.isNoted = isNoted;
        this.isMoment = isMoment;
        this.kinds = kinds;
        this.offsets = offsets;
        this.hasSequences = hasSequences;
        this.areWords = areWords(kinds);
    }

    private static boolean areWords(int[] kinds) {
        for (int kind : kinds) {
            if (kind != RingLayout.KIND_LONG && kind != RingLayout.KIND_DOUBLE) {
                return false;
            }
        }
        return true;
    }

    /** A layout of contexts that OpenContexts tracks. */
    public static ContextLayout unnoted(int id, int[] kinds, long[] offsets) {
        return new ContextLayout(id, kinds, offsets, false, false, false);
    }

    /** A layout of records that begin no contexts. */
    public static ContextLayout ofMoments(int id, int[] kinds, long[] offsets) {
        return new ContextLayout(id, kinds, offsets, false, false, true);
    }
}
