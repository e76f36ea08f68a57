// SPDX-License-Identifier: Apache-2.0
package dev.loupe.internal;

import static dev.loupe.internal.ring.RingLayout.*;

import jdk.internal.misc.Unsafe;
import jdk.internal.vm.annotation.ForceInline;
import jdk.internal.vm.annotation.ReservedStackAccess;
import jdk.jfr.internal.JVM;

/**
 * Writes context records into the agent's rings: the writing side of src/agent/context/ctx_rings.h,
 * whose names it repeats. docs/internals/context-ring.md says why it is correct.
 *
 * <p>It runs on application threads: no lock, no allocation, no system call. A record counts when
 * the head of its ring is moved behind it, which is the last thing that is done; whatever ends a
 * thread's work before that, nobody sees it.
 */
public final class Rings {
    private static final Unsafe UNSAFE = Unsafe.getUnsafe();
    private static final long THREAD_ID = UNSAFE.objectFieldOffset(Thread.class, "tid");
    private static final long STRING_VALUE = UNSAFE.objectFieldOffset(String.class, "value");
    private static final long STRING_CODER = UNSAFE.objectFieldOffset(String.class, "coder");
    private static final long BYTES = baseOffset("ARRAY_BYTE_BASE_OFFSET");

    private static final int BUCKET_BYTES = BUCKET_CELLS * Long.BYTES;
    private static final int BUCKET_SHIFT = Long.SIZE - BUCKET_BITS;
    private static final int CELL_RING = (1 << CELL_BITS) - 1;

    private static final long CONTROLS = Handover.rings[0];
    private static final long CELLS = Handover.rings[1];
    private static final long COMMON = Handover.rings[2];

    // Null and 0: this JVM has no virtual threads.
    private static final Class<?> VIRTUAL = virtualThreadClass();
    private static final long CARRIER =
            VIRTUAL == null ? 0 : UNSAFE.objectFieldOffset(VIRTUAL, "carrierThread");

    private static final int NO_ROOM = -1;
    private static final long[] TEXT_OFFSETS = textOffsets();

    private Rings() {}

    // These constants are int in some JDKs and long in others, and compiled code could name only
    // one of them.
    private static long baseOffset(String constant) {
        try {
            return Unsafe.class.getField(constant).getLong(null);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    private static Class<?> virtualThreadClass() {
        try {
            return Class.forName("java.lang.VirtualThread");
        } catch (ClassNotFoundException e) {
            return null;
        }
    }

    private static long[] textOffsets() {
        long[] offsets = new long[TYPE_ATTRIBUTES_MAX];
        long base = baseOffset("ARRAY_OBJECT_BASE_OFFSET");
        for (int i = 0; i < offsets.length; i++) {
            offsets[i] = base + (long) i * Unsafe.ARRAY_OBJECT_INDEX_SCALE;
        }
        return offsets;
    }

    /**
     * Ends the current thread's context of this type and begins one with the values that {@code
     * context} has.
     */
    public static void set(Object registered, Object context) {
        ContextLayout layout = (ContextLayout) registered;
        if (!layout.hasSequences) {
            set(layout, context, context, layout.offsets);
        } else {
            set(layout, context, textsOf(layout, context), TEXT_OFFSETS);
        }
    }

    // Where the strings are read from is given apart: texts, at textOffsets. It is the context
    // itself unless one of its strings may be another CharSequence.
    private static void set(
            ContextLayout layout, Object context, Object texts, long[] textOffsets) {
        Thread thread = Thread.currentThread();
        Thread platform = platformOf(thread);
        long control = findOrTakeRing(idOf(platform));
        if (control == 0) {
            setBorrowed(idOf(thread), layout, context, texts, textOffsets);
            return;
        }
        long time = JVM.counterTime();
        int mode = modeOf(control, thread, platform);
        if (!putSet(control, mode, idOf(thread), time, layout, context, texts, textOffsets)) {
            setNext(control, thread, platform, time, layout, context, texts, textOffsets);
        }
    }

    /**
     * The same with values that were taken already: attribute i is the i-th number, its bits as in
     * a record, or the i-th text. Where the thread's ring has room, nothing is allocated.
     */
    @ForceInline
    static void set(ContextLayout layout, long b0, long b1, long b2, long b3, long b4, long b5,
            long b6, long b7, long b8, long b9, long b10, long b11, long b12, long b13, long b14,
            long b15, String t0, String t1, String t2, String t3, String t4, String t5, String t6,
            String t7, String t8, String t9, String t10, String t11, String t12, String t13,
            String t14, String t15) {
        Thread thread = Thread.currentThread();
        Thread platform = platformOf(thread);
        long control = findRing(idOf(platform));
        if (control != 0) {
            long time = JVM.counterTime();
            int mode = modeOf(control, thread, platform);
            int head = UNSAFE.getInt(control + CONTROL_HEAD);
            int size = fill(layout, b0, b1, b2, b3, b4, b5, b6, b7, b8, b9, b10, b11, b12, b13, b14,
                    b15, t0, t1, t2, t3, t4, t5, t6, t7, t8, t9, t10, t11, t12, t13, t14, t15,
                    control, placeOf(control, head), roomForSet(control, mode, head, layout.id));
            if (size != NO_ROOM) {
                publishSet(control, mode, head, size, layout.id, idOf(thread), time);
                return;
            }
        }
        set(layout,
                new AccessValues(b0, b1, b2, b3, b4, b5, b6, b7, b8, b9, b10, b11, b12, b13, b14,
                        b15, t0, t1, t2, t3, t4, t5, t6, t7, t8, t9, t10, t11, t12, t13, t14, t15));
    }

    /** Ends the current thread's context of this type. */
    public static void unset(Object registered) {
        int typeId = ((ContextLayout) registered).id;
        Thread thread = Thread.currentThread();
        Thread platform = platformOf(thread);
        long control = findRing(idOf(platform));
        if (control == 0) {
            unsetElsewhere(thread, platform, typeId);
            return;
        }
        int mode = modeOf(control, thread, platform);
        if (mode == MODE_UNKNOWN) {
            long time = JVM.counterTime();
            if (!putUnknownEnd(control, idOf(thread), typeId, RECORD_UNSET, time)) {
                endNext(control, idOf(platform), idOf(thread), typeId, RECORD_UNSET, time);
            }
        } else if ((UNSAFE.getLong(control + CONTROL_OPEN) & bitOf(typeId)) != 0) {
            putOwnEnd(control, mode, idOf(thread), typeId, JVM.counterTime());
        }
    }

    /** Ends every context of the current thread, which is a platform thread and about to end. */
    static void endCurrentThread() {
        long id = idOf(Thread.currentThread());
        long control = findRing(id);
        if (control != 0) {
            endOwner(control, id);
        } else if (isShort()) {
            endBorrowed(id, 0, RECORD_THREAD_END);
        }
    }

    /** Ends every context of a thread that has ended without doing so. */
    static void endThread(long thread) {
        long platform = idOf(Thread.currentThread());
        long control = findOrTakeRing(platform);
        if (control == 0) {
            endBorrowed(thread, 0, RECORD_THREAD_END);
            return;
        }
        long time = JVM.counterTime();
        if (!putUnknownEnd(control, thread, 0, RECORD_THREAD_END, time)) {
            endNext(control, platform, thread, 0, RECORD_THREAD_END, time);
        }
    }

    static long idOf(Thread thread) {
        return UNSAFE.getLong(thread, THREAD_ID);
    }

    // The thread itself, or the one that carries it. It stays the same while this class is at work:
    // a virtual thread is not unmounted where it neither blocks nor parks.
    private static Thread platformOf(Thread thread) {
        return VIRTUAL != null && thread.getClass() == VIRTUAL
                ? (Thread) UNSAFE.getReference(thread, CARRIER)
                : thread;
    }

    private static int modeOf(long control, Thread thread, Thread platform) {
        return thread != platform ? MODE_UNKNOWN : UNSAFE.getInt(control + CONTROL_MODE);
    }

    private static long bitOf(int typeId) {
        return 1L << (typeId - 1);
    }

    // --- Rings and their owners

    // The control words of the ring that a platform thread has; 0 if it has none.
    private static long findRing(long platform) {
        long bucket = bucketOf(platform);
        for (long cell = bucket; cell < bucket + BUCKET_BYTES; cell += Long.BYTES) {
            long owned = UNSAFE.getLong(cell);
            if (owned >>> CELL_BITS == platform) {
                return controlOf((int) owned & CELL_RING);
            }
        }
        return 0;
    }

    private static long findOrTakeRing(long platform) {
        long control = findRing(platform);
        return control != 0 ? control : takeRing(platform);
    }

    private static long bucketOf(long platform) {
        return CELLS + (platform * BUCKET_FACTOR >>> BUCKET_SHIFT) * BUCKET_BYTES;
    }

    private static long controlOf(int index) {
        return CONTROLS + (long) index * CONTROL_BYTES;
    }

    // 0: none is empty, or the thread's bucket is full. An error on the way would leave a ring
    // taken for good: hence ReservedStackAccess here, and for those below that take one.
    @ReservedStackAccess
    private static long takeRing(long platform) {
        boolean wasShort = isShort();
        int index = takeEmpty(platform);
        if (index >= 0) {
            long control = controlOf(index);
            UNSAFE.putInt(control + CONTROL_MODE, wasShort ? MODE_UNKNOWN : MODE_PLAIN);
            UNSAFE.putLong(control + CONTROL_OPEN, 0);
            if (putCell(platform, 0, index)) {
                return control;
            }
            disown(control);
        }
        if (!wasShort) {
            UNSAFE.putLongVolatile(null, COMMON + COMMON_IS_SHORT, 1);
        }
        return 0;
    }

    // Leaves a ring that is full for an empty one; 0 if there is none. The full one is the drain's,
    // until it is empty.
    @ReservedStackAccess
    private static long moveOn(long full, long platform) {
        int index = takeEmpty(platform);
        if (index < 0) {
            return 0;
        }
        long control = controlOf(index);
        int mode = UNSAFE.getInt(full + CONTROL_MODE);
        UNSAFE.putInt(control + CONTROL_MODE, mode == MODE_PLAIN ? MODE_LOOSE : mode);
        UNSAFE.putLong(control + CONTROL_OPEN, UNSAFE.getLong(full + CONTROL_OPEN));
        // A drain that is at work may have passed the full ring by; the one after that does not.
        UNSAFE.putLong(control + CONTROL_PLAIN_FROM,
                UNSAFE.getLongVolatile(null, COMMON + COMMON_DRAINS) + 2);
        putCell(platform, platform, index);
        disown(full);
        return control;
    }

    // Takes a ring in which there is nothing, and returns its index; -1 if there is none.
    private static int takeEmpty(long platform) {
        long now = UNSAFE.getLongVolatile(null, COMMON + COMMON_DRAINS) + 1;
        if (UNSAFE.getLong(COMMON + COMMON_FULL_AT) == now) {
            return -1;
        }
        for (int index = 0; index < RINGS_OWN; index++) {
            long control = controlOf(index);
            if (isEmpty(control) && tryOwn(control, platform)) {
                if (isEmpty(control)) {
                    return index;
                }
                disown(control);
            }
        }
        UNSAFE.putLong(COMMON + COMMON_FULL_AT, now);
        return -1;
    }

    private static boolean isEmpty(long control) {
        return UNSAFE.getInt(control + CONTROL_HEAD)
                == UNSAFE.getIntAcquire(null, control + CONTROL_TAIL);
    }

    private static boolean tryOwn(long control, long thread) {
        return UNSAFE.getLong(control + CONTROL_OWNER) == 0
                && UNSAFE.compareAndSetLong(null, control + CONTROL_OWNER, 0, thread);
    }

    // Pairs with the compare-and-set: the next owner goes on where this one stopped.
    private static void disown(long control) {
        UNSAFE.putLongRelease(null, control + CONTROL_OWNER, 0);
    }

    // Says in the cell of thread before (0: in an empty one) that a thread has a ring.
    private static boolean putCell(long platform, long before, int index) {
        long bucket = bucketOf(platform);
        for (long cell = bucket; cell < bucket + BUCKET_BYTES; cell += Long.BYTES) {
            long owned = UNSAFE.getLong(cell);
            if (owned >>> CELL_BITS == before
                    && UNSAFE.compareAndSetLong(null, cell, owned, platform << CELL_BITS | index)) {
                return true;
            }
        }
        return false;
    }

    private static void clearCell(long platform) {
        long bucket = bucketOf(platform);
        for (long cell = bucket; cell < bucket + BUCKET_BYTES; cell += Long.BYTES) {
            if (UNSAFE.getLong(cell) >>> CELL_BITS == platform) {
                UNSAFE.putLong(cell, 0);
            }
        }
    }

    // Whether some thread may have contexts open although it has no ring.
    private static boolean isShort() {
        return UNSAFE.getLong(COMMON + COMMON_IS_SHORT) != 0;
    }

    private static void endOwner(long owned, long id) {
        long control = owned;
        int mode = UNSAFE.getInt(control + CONTROL_MODE);
        if (mode == MODE_UNKNOWN) {
            long time = JVM.counterTime();
            if (!putUnknownEnd(control, id, 0, RECORD_THREAD_END, time)) {
                endNext(control, id, id, 0, RECORD_THREAD_END, time);
                control = findRing(id);
            }
        } else {
            long open = UNSAFE.getLong(control + CONTROL_OPEN);
            long time = open == 0 ? 0 : JVM.counterTime();
            for (; open != 0; open &= open - 1) {
                putOwnEnd(control, mode, id, 1 + Long.numberOfTrailingZeros(open), time);
            }
        }
        clearCell(id);
        disown(control);
    }

    // --- When there is no ring, or no room in it

    // One of the shared rings for one record; 0: all are taken just now.
    private static long borrow(long thread) {
        for (int i = 0; i < RINGS_SHARED; i++) {
            long control = controlOf(RINGS_OWN + ((int) thread + i & RINGS_SHARED - 1));
            if (tryOwn(control, thread)) {
                return control;
            }
        }
        return 0;
    }

    @ReservedStackAccess
    private static void setBorrowed(
            long id, ContextLayout layout, Object context, Object texts, long[] textOffsets) {
        long control = borrow(id);
        long time = JVM.counterTime();
        if (control == 0) {
            UNSAFE.getAndAddLong(null, COMMON + COMMON_DROPPED, 1);
            lose(time); // the context before this one may be open
            return;
        }
        try {
            if (!putSet(control, MODE_UNKNOWN, id, time, layout, context, texts, textOffsets)) {
                refuse(control, MODE_UNKNOWN, id, layout.id, time);
            }
        } finally {
            disown(control);
        }
    }

    @ReservedStackAccess
    private static void endBorrowed(long id, int typeId, int kind) {
        long control = borrow(id);
        long time = JVM.counterTime();
        if (control == 0) {
            lose(time);
            return;
        }
        try {
            if (!putUnknownEnd(control, id, typeId, kind, time)) {
                lose(time);
            }
        } finally {
            disown(control);
        }
    }

    private static void unsetElsewhere(Thread thread, Thread platform, int typeId) {
        long control = thread == platform ? 0 : takeRing(idOf(platform));
        if (control != 0) {
            putUnknownEnd(control, idOf(thread), typeId, RECORD_UNSET, JVM.counterTime());
        } else if (isShort()) {
            endBorrowed(idOf(thread), typeId, RECORD_UNSET);
        }
    }

    private static void setNext(long full, Thread thread, Thread platform, long time,
            ContextLayout layout, Object context, Object texts, long[] textOffsets) {
        long next = moveOn(full, idOf(platform));
        long control = next == 0 ? full : next;
        int mode = modeOf(control, thread, platform);
        if (next == 0
                || !putSet(next, mode, idOf(thread), time, layout, context, texts, textOffsets)) {
            refuse(control, mode, idOf(thread), layout.id, time);
        }
    }

    private static void endNext(
            long full, long platform, long id, int typeId, int kind, long time) {
        long next = moveOn(full, platform);
        if (next == 0 || !putUnknownEnd(next, id, typeId, kind, time)) {
            lose(time);
        }
    }

    // There is no room for a context. The one before it ends all the same.
    private static void refuse(long control, int mode, long id, int typeId, long time) {
        addTo(control + CONTROL_DROPPED);
        if (mode == MODE_UNKNOWN) {
            if (!putUnknownEnd(control, id, typeId, RECORD_UNSET, time)) {
                lose(time);
            }
        } else if ((UNSAFE.getLong(control + CONTROL_OPEN) & bitOf(typeId)) != 0) {
            putOwnEnd(control, mode, id, typeId, time);
        }
    }

    // An end could not be written. The agent ends all contexts then.
    private static void lose(long time) {
        UNSAFE.compareAndSetLong(null, COMMON + COMMON_LOST_FROM, 0, time);
    }

    // --- Records. The ring is the current thread's, or its carrier's, or borrowed.

    // False if there is no room.
    private static boolean putSet(long control, int mode, long id, long time, ContextLayout layout,
            Object context, Object texts, long[] textOffsets) {
        int head = UNSAFE.getInt(control + CONTROL_HEAD);
        int size = fill(layout, context, texts, textOffsets, control, placeOf(control, head),
                roomForSet(control, mode, head, layout.id));
        if (size == NO_ROOM) {
            return false;
        }
        publishSet(control, mode, head, size, layout.id, id, time);
        return true;
    }

    private static int roomForSet(long control, int mode, int head, int typeId) {
        long open = UNSAFE.getLong(control + CONTROL_OPEN);
        return mode == MODE_UNKNOWN ? roomFor(control, head, open) - SLACK_BYTES
                                    : roomFor(control, head, open | bitOf(typeId));
    }

    private static void publishSet(
            long control, int mode, int head, int size, int typeId, long id, long time) {
        long open = UNSAFE.getLong(control + CONTROL_OPEN);
        if (mode != MODE_UNKNOWN && (open & bitOf(typeId)) == 0) {
            UNSAFE.putLong(control + CONTROL_OPEN, open | bitOf(typeId));
        }
        publish(control, head, placeOf(control, head), size, typeId, RECORD_SET, id, time, mode);
    }

    // The context is open: so there is room for its end.
    private static void putOwnEnd(long control, int mode, long id, int typeId, long time) {
        int head = UNSAFE.getInt(control + CONTROL_HEAD);
        publish(control, head, placeOf(control, head), HEADER_BYTES, typeId, RECORD_UNSET, id, time,
                mode);
        long open = UNSAFE.getLong(control + CONTROL_OPEN) & ~bitOf(typeId);
        UNSAFE.putLong(control + CONTROL_OPEN, open);
        if (mode == MODE_LOOSE && open == 0) {
            settle(control);
        }
    }

    // Makes a loose ring plain again if all that its owner wrote elsewhere has been drained. No
    // context is open: one that has a loose begin needs a loose end.
    private static void settle(long control) {
        if (UNSAFE.getLongVolatile(null, COMMON + COMMON_DRAINS)
                >= UNSAFE.getLong(control + CONTROL_PLAIN_FROM)) {
            UNSAFE.putInt(control + CONTROL_MODE, MODE_PLAIN);
        }
    }

    // False if there is no room.
    private static boolean putUnknownEnd(long control, long id, int typeId, int kind, long time) {
        int head = UNSAFE.getInt(control + CONTROL_HEAD);
        if (roomFor(control, head, UNSAFE.getLong(control + CONTROL_OPEN)) < HEADER_BYTES) {
            return false;
        }
        publish(control, head, placeOf(control, head), HEADER_BYTES, typeId, kind, id, time,
                MODE_UNKNOWN);
        return true;
    }

    // How many bytes are free, but for the ends of the owner's open contexts.
    private static int roomFor(long control, int head, long open) {
        // Pairs with the release store in the drain: it has read what was there.
        int used = head - UNSAFE.getIntAcquire(null, control + CONTROL_TAIL);
        return RING_BYTES - used - HEADER_BYTES * Long.bitCount(open);
    }

    private static long placeOf(long control, int head) {
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

    // Only the owner of the ring counts there.
    private static void addTo(long count) {
        UNSAFE.putLong(count, UNSAFE.getLong(count) + 1);
    }

    // --- Values

    private static Object[] textsOf(ContextLayout layout, Object context) {
        Object[] texts = new Object[layout.kinds.length];
        for (int i = 0; i < layout.kinds.length; i++) {
            if (layout.kinds[i] == KIND_STRING) {
                texts[i] = textOf((CharSequence) UNSAFE.getReference(context, layout.offsets[i]));
            }
        }
        return texts;
    }

    /** Makes a text of a value. */
    static String textOf(CharSequence text) {
        try {
            return text == null ? null : text.toString();
        } catch (RuntimeException e) {
            return null; // the application did not ask for its text to be made here
        }
    }

    // Writes the values behind the header of a record at at. Returns the size of the record, or
    // NO_ROOM if it would be more than room.
    private static int fill(ContextLayout layout, Object context, Object texts, long[] textOffsets,
            long control, long at, int room) {
        int[] kinds = layout.kinds;
        // Primitive values, and the headers of strings.
        int left = room - HEADER_BYTES - kinds.length * Long.BYTES;
        if (left < 0) {
            return NO_ROOM;
        }
        long next = at + HEADER_BYTES;
        for (int i = 0; i < kinds.length; i++) {
            if (kinds[i] == KIND_STRING) {
                String text = (String) UNSAFE.getReference(texts, textOffsets[i]);
                int span = text == null ? 0 : spanOf(text);
                left -= padded(span);
                if (left < 0) {
                    return NO_ROOM;
                }
                putText(next, text, span, control);
                next += STRING_HEADER_BYTES + padded(span);
            } else {
                UNSAFE.putLong(next, bitsOf(kinds[i], context, layout.offsets[i]));
                next += Long.BYTES;
            }
        }
        return (int) (next - at);
    }

    // The same with values that were taken already.
    @ForceInline
    private static int fill(ContextLayout layout, long b0, long b1, long b2, long b3, long b4,
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

    // Writes attribute i, if there is one. Returns where the next goes, NO_ROOM if that is behind
    // end, also if it was so before.
    @ForceInline
    private static long put(
            int[] kinds, int i, long bits, String text, long control, long at, long end) {
        if (i >= kinds.length || at == NO_ROOM) {
            return at;
        }
        boolean isText = kinds[i] == KIND_STRING;
        int span = text == null ? 0 : spanOf(text);
        long next = at + Long.BYTES + padded(span);
        if (next > end) {
            return NO_ROOM;
        }
        if (isText) {
            putText(at, text, span, control);
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

    private static void putText(long at, String text, int span, long control) {
        if (text == null) {
            UNSAFE.putLong(at, STRING_NULL);
            return;
        }
        byte[] value = (byte[]) UNSAFE.getReference(text, STRING_VALUE);
        if (span < value.length) {
            addTo(control + CONTROL_CUT);
        }
        long coder = UNSAFE.getByte(text, STRING_CODER);
        UNSAFE.putLong(at, coder << 32 | span);
        copy(value, span, at + STRING_HEADER_BYTES);
    }

    // For strings of usual lengths a loop is faster than the call behind copyMemory.
    private static void copy(byte[] value, int span, long at) {
        if ((span & 7) != 0) {
            UNSAFE.putLong(at + (span & ~7), 0); // what follows is padding
        }
        if (span > 64) {
            UNSAFE.copyMemory(value, BYTES, null, at, span);
            return;
        }
        int i = 0;
        for (; i + 8 <= span; i += 8) {
            UNSAFE.putLong(at + i, UNSAFE.getLongUnaligned(value, BYTES + i));
        }
        if ((span & 4) != 0) {
            UNSAFE.putInt(at + i, UNSAFE.getIntUnaligned(value, BYTES + i));
            i += 4;
        }
        if ((span & 2) != 0) {
            UNSAFE.putShort(at + i, UNSAFE.getShortUnaligned(value, BYTES + i));
            i += 2;
        }
        if ((span & 1) != 0) {
            UNSAFE.putByte(at + i, value[i]);
        }
    }

    private static int padded(int span) {
        return (span + 7) & ~7;
    }

    // How many bytes of the string's value are recorded: as many as are at most VALUE_BYTES_MAX
    // bytes of UTF-8.
    private static int spanOf(String string) {
        byte[] value = (byte[]) UNSAFE.getReference(string, STRING_VALUE);
        if (UNSAFE.getByte(string, STRING_CODER) == 0) {
            return value.length <= VALUE_BYTES_MAX / 2 ? value.length : spanOfLatin1(value);
        }
        return value.length / 2 <= VALUE_BYTES_MAX / 3 ? value.length : spanOfUtf16(value);
    }

    private static int spanOfLatin1(byte[] value) {
        int utf8 = 0;
        for (int i = 0; i < value.length; i++) {
            utf8 += value[i] >= 0 ? 1 : 2;
            if (utf8 > VALUE_BYTES_MAX) {
                return i;
            }
        }
        return value.length;
    }

    private static int spanOfUtf16(byte[] value) {
        int utf8 = 0;
        for (int i = 0; i < value.length;) {
            char c = UNSAFE.getChar(value, BYTES + i);
            int step = 2;
            if (c < 0x80) {
                utf8 += 1;
            } else if (c < 0x800) {
                utf8 += 2;
            } else if (isPair(value, i)) {
                utf8 += 4;
                step = 4;
            } else {
                utf8 += 3;
            }
            if (utf8 > VALUE_BYTES_MAX) {
                return i;
            }
            i += step;
        }
        return value.length;
    }

    private static boolean isPair(byte[] value, int i) {
        return i + 4 <= value.length && Character.isHighSurrogate(UNSAFE.getChar(value, BYTES + i))
                && Character.isLowSurrogate(UNSAFE.getChar(value, BYTES + i + 2));
    }
}
