// SPDX-License-Identifier: Apache-2.0
package dev.loupe.internal.ring;

import static dev.loupe.internal.ring.RingLayout.*;

import jdk.internal.misc.Unsafe;
import jdk.internal.vm.annotation.ForceInline;

/** Writes the values of a context behind the header of its record. */
public final class RingValues {
    /** What {@code fill} returns if there is no room. */
    public static final int NO_ROOM = -1;
    /** Where the texts are in what {@link #textsOf} returns. */
    public static final long[] TEXT_OFFSETS = textOffsets();

    private static final Unsafe UNSAFE = Unsafe.getUnsafe();

    private RingValues() {}

    private static long[] textOffsets() {
        long[] offsets = new long[TYPE_ATTRIBUTES_MAX];
        long base = RingTexts.baseOffset("ARRAY_OBJECT_BASE_OFFSET");
        for (int i = 0; i < offsets.length; i++) {
            offsets[i] = base + (long) i * Unsafe.ARRAY_OBJECT_INDEX_SCALE;
        }
        return offsets;
    }

    /** Returns the texts of a context, one of which may be another {@code CharSequence}. */
    public static Object[] textsOf(ContextLayout layout, Object context) {
        Object[] texts = new Object[layout.kinds.length];
        for (int i = 0; i < layout.kinds.length; i++) {
            if (layout.kinds[i] == KIND_STRING) {
                texts[i] = RingTexts.textOf(
                        (CharSequence) UNSAFE.getReference(context, layout.offsets[i]));
            }
        }
        return texts;
    }

    /**
     * Writes the values behind the header of a record at {@code at}, with texts from {@code texts}
     * at {@code textOffsets}.
     *
     * @return the size of the record; {@link #NO_ROOM} if it would be more than {@code room}
     */
    public static int fill(ContextLayout layout, Object context, Object texts, long[] textOffsets,
            long control, long at, int room) {
        int[] kinds = layout.kinds;
        // Primitive values, and the headers of strings.
        int left = room - HEADER_BYTES - kinds.length * Long.BYTES;
        if (left < 0) {
            return NO_ROOM;
        }
        if (layout.areWords) {
            return fillWords(context, layout.offsets, at);
        }
        long next = at + HEADER_BYTES;
        for (int i = 0; i < kinds.length; i++) {
            if (kinds[i] == KIND_STRING) {
                String text = (String) UNSAFE.getReference(texts, textOffsets[i]);
                int span = text == null ? 0 : RingTexts.spanOf(text);
                left -= RingTexts.padded(span);
                if (left < 0) {
                    return NO_ROOM;
                }
                RingTexts.putText(next, text, span, control);
                next += STRING_HEADER_BYTES + RingTexts.padded(span);
            } else {
                UNSAFE.putLong(next, bitsOf(kinds[i], context, layout.offsets[i]));
                next += Long.BYTES;
            }
        }
        return (int) (next - at);
    }

    // There is room for them.
    private static int fillWords(Object context, long[] offsets, long at) {
        long next = at + HEADER_BYTES;
        for (long offset : offsets) {
            UNSAFE.putLong(next, UNSAFE.getLong(context, offset));
            next += Long.BYTES;
        }
        return (int) (next - at);
    }

    /** Does the same with values that were taken already. */
    @ForceInline
    public static int fill(ContextLayout layout, long b0, long b1, long b2, long b3, long b4,
            long b5, long b6, long b7, long b8, long b9, long b10, long b11, long b12, long b13,
            long b14, long b15, String t0, String t1, String t2, String t3, String t4, String t5,
            String t6, String t7, String t8, String t9, String t10, String t11, String t12,
            String t13, String t14, String t15, long control, long at, int room) {
        int[] kinds = layout.kinds;
        long end = at + room;
        long next = at + HEADER_BYTES;
        next = put(kinds, 0, b0, t0, control, next, end);
        next = put(kinds, 1, b1, t1, control, next, end);
        next = put(kinds, 2, b2, t2, control, next, end);
        next = put(kinds, 3, b3, t3, control, next, end);
        next = put(kinds, 4, b4, t4, control, next, end);
        next = put(kinds, 5, b5, t5, control, next, end);
        next = put(kinds, 6, b6, t6, control, next, end);
        next = put(kinds, 7, b7, t7, control, next, end);
        next = put(kinds, 8, b8, t8, control, next, end);
        next = put(kinds, 9, b9, t9, control, next, end);
        next = put(kinds, 10, b10, t10, control, next, end);
        next = put(kinds, 11, b11, t11, control, next, end);
        next = put(kinds, 12, b12, t12, control, next, end);
        next = put(kinds, 13, b13, t13, control, next, end);
        next = put(kinds, 14, b14, t14, control, next, end);
        next = put(kinds, 15, b15, t15, control, next, end);
        return next == NO_ROOM ? NO_ROOM : (int) (next - at);
    }

    // Writes attribute i, if there is one. Returns the place of the next one; NO_ROOM if that is
    // behind end, or at is NO_ROOM.
    @ForceInline
    private static long put(
            int[] kinds, int i, long bits, String text, long control, long at, long end) {
        if (i >= kinds.length || at == NO_ROOM) {
            return at;
        }
        boolean isText = kinds[i] == KIND_STRING;
        int span = text == null ? 0 : RingTexts.spanOf(text);
        long next = at + Long.BYTES + RingTexts.padded(span);
        if (next > end) {
            return NO_ROOM;
        }
        if (isText) {
            RingTexts.putText(at, text, span, control);
        } else {
            UNSAFE.putLong(at, bits);
        }
        return next;
    }

    private static long bitsOf(int kind, Object context, long offset) {
        switch (kind) {
            case KIND_BOOLEAN:
                return UNSAFE.getBoolean(context, offset) ? 1 : 0;
            case KIND_BYTE:
                return UNSAFE.getByte(context, offset);
            case KIND_CHAR:
                return UNSAFE.getChar(context, offset);
            case KIND_SHORT:
                return UNSAFE.getShort(context, offset);
            case KIND_INT:
                return UNSAFE.getInt(context, offset);
            case KIND_FLOAT:
                return Integer.toUnsignedLong(UNSAFE.getInt(context, offset));
            default:
                return UNSAFE.getLong(context, offset); // long and double
        }
    }
}
