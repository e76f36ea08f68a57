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
            OpenContexts.begin(typeId, at + HEADER_BYTES, size - HEADER_BYTES);
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

    // Returns how many bytes are free, but for the ends of the owner's open contexts.
    private static int roomFor(long control, int head, long open) {
        // Pairs with the release store in the drain, which has read the records before it.
        int used = head - UNSAFE.getIntAcquire(null, control + CONTROL_TAIL);
        return RING_BYTES - used - HEADER_BYTES * Long.bitCount(open);
    }

    /** Returns the address of a position in the ring. */
    public static long placeOf(long control, int head) {
        return UNSAFE.getLong(control + CONTROL_RING) + (head & RING_BYTES - 1);
    }

    private static void publish(long control, int head, long at, int size, int typeId, int kind,
            long id, long time, int mode) {
        boolean isLoose = mode != MODE_PLAIN;
        long word = size | (long) typeId << HEADER_TYPE_SHIFT | (long) kind << HEADER_KIND_SHIFT;
        UNSAFE.putLong(at, isLoose ? word | RECORD_LOOSE << HEADER_FLAGS_SHIFT : word);
        UNSAFE.putLong(at + HEADER_THREAD, id);
        UNSAFE.putLong(at + HEADER_TIME, time);
        if (isLoose) {
            UNSAFE.putLong(control + CONTROL_LOOSE_TICKS, time);
        }
        // Pairs with the acquire load in the drain: who sees the head sees the record.
        UNSAFE.putIntRelease(null, control + CONTROL_HEAD, head + size);
    }

    /** Returns the position behind the last whole record. */
    public static int headOf(long control) {
        return UNSAFE.getInt(control + CONTROL_HEAD);
    }

    /** Returns the owner's open contexts, bit (type id - 1) for each, unless nobody knows. */
    public static long openOf(long control) {
        return UNSAFE.getLong(control + CONTROL_OPEN);
    }

    /** Returns whether a context of this type is open, unless nobody knows. */
    public static boolean isOpen(long control, int typeId) {
        return (openOf(control) & bitOf(typeId)) != 0;
    }

    /** Counts a context for which there was no room. */
    public static void countDropped(long control) {
        RingOwners.count(control + CONTROL_DROPPED);
    }
}
