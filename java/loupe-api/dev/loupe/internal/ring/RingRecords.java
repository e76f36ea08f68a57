// SPDX-License-Identifier: Apache-2.0
package dev.loupe.internal.ring;

import static dev.loupe.internal.ring.RingLayout.*;

import jdk.internal.misc.Unsafe;

/**
 * Writes records into a ring that is the current thread's, or its carrier's, or borrowed. A record
 * counts when the head of its ring is moved behind it, which is the last thing that is done.
 */
public final class RingRecords {
    private static final Unsafe UNSAFE = Unsafe.getUnsafe();
    private static final int MOMENT_BYTES = HEADER_BYTES + 2 * Long.BYTES;

    private RingRecords() {}

    private static long bitOf(int typeId) {
        return 1L << (typeId - 1);
    }

    /**
     * Writes the begin of a context. Its texts are read from {@code texts}, at {@code textOffsets}:
     * that is the context itself, or what {@link RingValues#textsOf} returns.
     *
     * @return false if there is no room
     */
    public static boolean putSet(long control, int mode, long id, long time, ContextLayout layout,
            Object context, Object texts, long[] textOffsets) {
        int head = headOf(control);
        int size = RingValues.fill(layout, context, texts, textOffsets, control,
                placeOf(control, head), roomForSet(control, mode, head, layout.id));
        if (size == RingValues.NO_ROOM) {
            return false;
        }
        publishSet(control, mode, head, size, layout, id, time);
        return true;
    }

    /** Returns how many bytes the begin of a context may have; below 0 if there is no room. */
    public static int roomForSet(long control, int mode, int head, int typeId) {
        long open = openOf(control);
        return mode == MODE_UNKNOWN ? roomFor(control, head, open) - SLACK_BYTES
                                    : roomFor(control, head, open | bitOf(typeId));
    }

    /** Makes the begin of a context count, whose values are written. */
    public static void publishSet(
            long control, int mode, int head, int size, ContextLayout layout, long id, long time) {
        int typeId = layout.id;
        long open = openOf(control);
        if (mode != MODE_UNKNOWN && (open & bitOf(typeId)) == 0 && !layout.isMoment) {
            UNSAFE.putLong(control + CONTROL_OPEN, open | bitOf(typeId));
        }
        long at = placeOf(control, head);
        publish(control, head, at, size, typeId, RECORD_SET, id, time, mode);
        if (OpenContexts.isOn && layout.isNoted) { // it stays there as long as this thread writes
            try {
                OpenContexts.begin(typeId, at + HEADER_BYTES, size - HEADER_BYTES);
            } catch (VirtualMachineError e) { // of the stack being too small, say
                OpenContexts.isUnsure = true;
                throw e;
            }
        }
    }

    /** Writes the end of a context that is open: so there is room for it. */
    public static void putOwnEnd(long control, int mode, long id, int typeId, long time) {
        int head = headOf(control);
        publish(control, head, placeOf(control, head), HEADER_BYTES, typeId, RECORD_UNSET, id, time,
                mode);
        long open = openOf(control) & ~bitOf(typeId);
        UNSAFE.putLong(control + CONTROL_OPEN, open);
        if (mode == MODE_LOOSE && open == 0) {
            settle(control);
        }
    }

    // Makes a loose ring plain again if all that its owner wrote elsewhere has been drained. No
    // context is open: one that has a loose begin needs a loose end. By its size it is not inlined:
    // it is rare, and unset then stays small.
    private static void settle(long control) {
        if (UNSAFE.getLongVolatile(null, RingOwners.COMMON + COMMON_DRAINS)
                >= UNSAFE.getLong(control + CONTROL_PLAIN_FROM)) {
            UNSAFE.putInt(control + CONTROL_MODE, MODE_PLAIN);
        }
    }

    /**
     * Writes the end of a context, or of all of a thread, that may be open.
     *
     * @return false if there is no room
     */
    public static boolean putUnknownEnd(long control, long id, int typeId, int kind, long time) {
        int head = headOf(control);
        if (roomFor(control, head, openOf(control)) < HEADER_BYTES) {
            return false;
        }
        publish(control, head, placeOf(control, head), HEADER_BYTES, typeId, kind, id, time,
                MODE_UNKNOWN);
        return true;
    }

    /**
     * Writes a moment of two numbers, ends and begins of contexts, as Rings.change has them. They
     * count together.
     *
     * @return false if there is no room
     */
    public static boolean putChange(long control, int mode, long id, long time, int moment,
            long first, long second, long ended, int[] typeIds, long[][] words) {
        boolean isKnown = mode != MODE_UNKNOWN;
        long open = openOf(control);
        long ends = isKnown ? ended & open : ended;
        long left = open & ~ends;
        int size = HEADER_BYTES * (Long.bitCount(ends) + typeIds.length);
        for (int i = 0; i < typeIds.length; i++) {
            size += words[i].length * Long.BYTES;
            left |= bitOf(typeIds[i]);
        }
        if (moment != 0) {
            size += MOMENT_BYTES;
        }
        int head = headOf(control);
        int room =
                isKnown ? roomFor(control, head, left) : roomFor(control, head, open) - SLACK_BYTES;
        if (size > room) {
            return false;
        }
        long flags = mode == MODE_PLAIN ? 0 : RECORD_LOOSE << HEADER_FLAGS_SHIFT;
        long at = placeOf(control, head);
        if (moment != 0) {
            putHeader(at, MOMENT_BYTES, moment, RECORD_SET, flags, id, time);
            UNSAFE.putLong(at + HEADER_BYTES, first);
            UNSAFE.putLong(at + HEADER_BYTES + Long.BYTES, second);
            at += MOMENT_BYTES;
        }
        for (; ends != 0; ends &= ends - 1) {
            int typeId = 1 + Long.numberOfTrailingZeros(ends);
            putHeader(at, HEADER_BYTES, typeId, RECORD_UNSET, flags, id, time);
            at += HEADER_BYTES;
        }
        for (int i = 0; i < typeIds.length; i++) {
            at = putWords(at, typeIds[i], words[i], flags, id, time);
        }
        if (isKnown) { // both: a context that is not known to be open would never end
            UNSAFE.putLong(control + CONTROL_OPEN, open | left);
        }
        advance(control, head + size, flags != 0, time);
        if (isKnown) {
            UNSAFE.putLong(control + CONTROL_OPEN, left);
            if (mode == MODE_LOOSE && left == 0) {
                settle(control);
            }
        }
        return true;
    }

    // Writes the begin of a context. Returns the address behind it.
    private static long putWords(
            long at, int typeId, long[] words, long flags, long id, long time) {
        int size = HEADER_BYTES + words.length * Long.BYTES;
        putHeader(at, size, typeId, RECORD_SET, flags, id, time);
        long next = at + HEADER_BYTES;
        for (long word : words) {
            UNSAFE.putLong(next, word);
            next += Long.BYTES;
        }
        return next;
    }

    /** Returns whether undrained records take over half of the ring. */
    static boolean isHalfFull(long control) {
        return usedBytes(control, headOf(control)) > RING_BYTES / 2;
    }

    // Returns how many bytes are free, but for the ends of the owner's open contexts.
    private static int roomFor(long control, int head, long open) {
        return RING_BYTES - usedBytes(control, head) - HEADER_BYTES * Long.bitCount(open);
    }

    private static int usedBytes(long control, int head) {
        // Pairs with the release store in the drain, which has read the records before it.
        return head - UNSAFE.getIntAcquire(null, control + CONTROL_TAIL);
    }

    /** Returns the address of a position in the ring. */
    public static long placeOf(long control, int head) {
        return UNSAFE.getLong(control + CONTROL_RING) + (head & RING_BYTES - 1);
    }

    private static void publish(long control, int head, long at, int size, int typeId, int kind,
            long id, long time, int mode) {
        long flags = mode == MODE_PLAIN ? 0 : RECORD_LOOSE << HEADER_FLAGS_SHIFT;
        putHeader(at, size, typeId, kind, flags, id, time);
        advance(control, head + size, flags != 0, time);
    }

    private static void putHeader(
            long at, int size, int typeId, int kind, long flags, long id, long time) {
        UNSAFE.putLong(at,
                size | (long) typeId << HEADER_TYPE_SHIFT | (long) kind << HEADER_KIND_SHIFT
                        | flags);
        UNSAFE.putLong(at + HEADER_THREAD, id);
        UNSAFE.putLong(at + HEADER_TIME, time);
    }

    // Makes the records before a position count.
    private static void advance(long control, int head, boolean isLoose, long time) {
        if (isLoose) {
            UNSAFE.putLong(control + CONTROL_LOOSE_TICKS, time);
        }
        // Pairs with the acquire load in the drain: who sees the head sees the records.
        UNSAFE.putIntRelease(null, control + CONTROL_HEAD, head);
    }

    /** Returns the position behind the last whole record. */
    public static int headOf(long control) {
        return UNSAFE.getInt(control + CONTROL_HEAD);
    }

    /** Returns the owner's open contexts, bit (type id - 1) for each, unless unknown. */
    public static long openOf(long control) {
        return UNSAFE.getLong(control + CONTROL_OPEN);
    }

    /** Returns whether a context of this type is open, unless that is unknown. */
    public static boolean isOpen(long control, int typeId) {
        return (openOf(control) & bitOf(typeId)) != 0;
    }

    /** Counts a context for which there was no room. */
    public static void countDropped(long control) {
        RingOwners.count(control + CONTROL_DROPPED);
    }
}
