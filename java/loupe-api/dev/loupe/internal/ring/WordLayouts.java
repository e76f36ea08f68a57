// SPDX-License-Identifier: Apache-2.0
package dev.loupe.internal.ring;

import java.util.Arrays;
import jdk.internal.misc.Unsafe;

/** Layouts by which {@code Rings} finds values in an array of longs, as they were in a record. */
public final class WordLayouts {
    private static final int KNOWN = 32; // more words are rare
    private static final ContextLayout[][] LAYOUTS =
            new ContextLayout[RingLayout.TYPES_MAX + 1][KNOWN];
    private static final long BASE = RingTexts.baseOffset("ARRAY_LONG_BASE_OFFSET");

    private WordLayouts() {}

    /** Returns the layout of {@code count} words of a type. */
    // Two threads may make one at once: these are the same.
    public static ContextLayout of(int typeId, int count) {
        ContextLayout known = count < KNOWN ? LAYOUTS[typeId][count] : null;
        return known != null ? known : make(typeId, count);
    }

    private static ContextLayout make(int typeId, int count) {
        int[] kinds = new int[count];
        Arrays.fill(kinds, RingLayout.KIND_LONG);
        long[] offsets = new long[count];
        for (int i = 0; i < count; i++) {
            offsets[i] = BASE + (long) i * Unsafe.ARRAY_LONG_INDEX_SCALE;
        }
        ContextLayout layout = ContextLayout.unnoted(typeId, kinds, offsets);
        if (count < KNOWN) {
            LAYOUTS[typeId][count] = layout;
        }
        return layout;
    }
}
