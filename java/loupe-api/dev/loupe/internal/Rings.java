// SPDX-License-Identifier: Apache-2.0
package dev.loupe.internal;

import static dev.loupe.internal.ring.RingLayout.*;

import dev.loupe.internal.agent.Native;
import dev.loupe.internal.ring.AccessValues;
import dev.loupe.internal.ring.ContextLayout;
import dev.loupe.internal.ring.OpenContexts;
import dev.loupe.internal.ring.RingOwners;
import dev.loupe.internal.ring.RingRecords;
import dev.loupe.internal.ring.RingTexts;
import dev.loupe.internal.ring.RingValues;
import jdk.internal.misc.Unsafe;
import jdk.internal.vm.annotation.ForceInline;
import jdk.internal.vm.annotation.ReservedStackAccess;
import jdk.jfr.internal.JVM;

/**
 * Writes context records into the agent's rings: the writing side of src/agent/context/ctx_rings.h.
 * docs/internals/agent.md#context-rings says why it is correct.
 *
 * <p>It runs on application threads: no lock, no allocation, no system call. Whatever ends a
 * thread's work before a record counts, nobody sees the record.
 */
public final class Rings {
    // Now, on the agent's thread: a thread of the application may have no stack left for it.
    static {
        Unsafe unsafe = Unsafe.getUnsafe();
        unsafe.ensureClassInitialized(RingOwners.class);
        unsafe.ensureClassInitialized(RingRecords.class);
        unsafe.ensureClassInitialized(RingValues.class);
        unsafe.ensureClassInitialized(RingTexts.class);
        unsafe.ensureClassInitialized(OpenContexts.class);
    }

    /** A time: that at which the ring is known. */
    public static final long NOW = Long.MIN_VALUE;

    private Rings() {}

    /**
     * Ends the current thread's context of this type and begins one with the values that {@code
     * context} has.
     *
     * @param registered the type, as {@link ContextTypes#find} returns it
     */
    public static void set(Object registered, Object context) {
        ContextLayout layout = (ContextLayout) registered;
        if (!layout.hasSequences) {
            set(layout, context, context, layout.offsets, NOW);
        } else {
            set(layout, context, RingValues.textsOf(layout, context), RingValues.TEXT_OFFSETS, NOW);
        }
    }

    /**
     * The same at a time that the thread has just read. Its records since then are of other types.
     */
    public static void set(ContextLayout layout, Object context, long time) {
        set(layout, context, context, layout.offsets, time);
    }

    // texts is the context itself unless one of its strings may be another CharSequence.
    private static void set(
            ContextLayout layout, Object context, Object texts, long[] textOffsets, long at) {
        Thread thread = Thread.currentThread();
        Thread platform = RingOwners.platformOf(thread);
        long control = RingOwners.findOrTakeRing(RingOwners.idOf(platform));
        if (control == 0) {
            setBorrowed(RingOwners.idOf(thread), layout, context, texts, textOffsets);
            return;
        }
        long time = timeOf(at);
        int mode = RingOwners.modeOf(control, thread, platform);
        if (!RingRecords.putSet(control, mode, RingOwners.idOf(thread), time, layout, context,
                    texts, textOffsets)) {
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
        Thread platform = RingOwners.platformOf(thread);
        long control = RingOwners.findRing(RingOwners.idOf(platform));
        if (control != 0) {
            long time = JVM.counterTime();
            int mode = RingOwners.modeOf(control, thread, platform);
            int head = RingRecords.headOf(control);
            int size = RingValues.fill(layout, b0, b1, b2, b3, b4, b5, b6, b7, b8, b9, b10, b11,
                    b12, b13, b14, b15, t0, t1, t2, t3, t4, t5, t6, t7, t8, t9, t10, t11, t12, t13,
                    t14, t15, control, RingRecords.placeOf(control, head),
                    RingRecords.roomForSet(control, mode, head, layout.id));
            if (size != RingValues.NO_ROOM) {
                RingRecords.publishSet(
                        control, mode, head, size, layout, RingOwners.idOf(thread), time);
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
        OpenContexts contexts = OpenContexts.findOpen(typeId);
        long time = NOW;
        if (contexts != null) {
            time = JVM.counterTime();
        }
        unset(typeId, time);
        if (contexts != null) { // last: an error before this leaves the context open in both
            contexts.endAllOf(1L << (typeId - 1), time);
        }
    }

    /**
     * The same at a time that the thread has just read, as {@link #set}. OpenContexts is not told.
     */
    public static void unset(int typeId, long at) {
        Thread thread = Thread.currentThread();
        Thread platform = RingOwners.platformOf(thread);
        long control = RingOwners.findRing(RingOwners.idOf(platform));
        if (control == 0) {
            unsetElsewhere(thread, platform, typeId, timeOf(at));
            return;
        }
        int mode = RingOwners.modeOf(control, thread, platform);
        if (mode == MODE_UNKNOWN) {
            long time = timeOf(at);
            if (!RingRecords.putUnknownEnd(
                        control, RingOwners.idOf(thread), typeId, RECORD_UNSET, time)) {
                endNext(control, RingOwners.idOf(platform), RingOwners.idOf(thread), typeId,
                        RECORD_UNSET, time);
            }
        } else if (RingRecords.isOpen(control, typeId)) {
            RingRecords.putOwnEnd(control, mode, RingOwners.idOf(thread), typeId, timeOf(at));
        }
    }

    /**
     * Ends contexts of the current thread and begins others, all at once. The caller tells
     * OpenContexts.
     *
     * @param moment the type of a record of two numbers that begins no context; 0: there is none
     * @param ended the open contexts that end, bit (type id - 1) for each
     * @param typeIds the contexts that begin; none of them is among the ended
     * @param words the values of each
     * @param time a time that the thread read just before this call
     * @return false if nothing was recorded: the thread has no ring, or its ring has no room
     */
    public static boolean change(int moment, long first, long second, long ended, int[] typeIds,
            long[][] words, long time) {
        Thread thread = Thread.currentThread();
        Thread platform = RingOwners.platformOf(thread);
        long control = RingOwners.findRing(RingOwners.idOf(platform));
        return control != 0
                && RingRecords.putChange(control, RingOwners.modeOf(control, thread, platform),
                        RingOwners.idOf(thread), time, moment, first, second, ended, typeIds,
                        words);
    }

    static long timeOf(long at) {
        return at == NOW ? JVM.counterTime() : at;
    }

    /** Ends every context of the current thread, which is a platform thread and about to end. */
    static void endCurrentThread() {
        long id = RingOwners.idOf(Thread.currentThread());
        long control = RingOwners.findRing(id);
        if (control != 0) {
            endOwner(control, id);
        } else if (RingOwners.isShort()) {
            endBorrowed(id, 0, RECORD_THREAD_END, JVM.counterTime());
        }
    }

    /** Ends every context of a thread that has ended without doing so. */
    public static void endThread(long thread) {
        long platform = RingOwners.idOf(Thread.currentThread());
        long control = RingOwners.findOrTakeRing(platform);
        if (control == 0) {
            endBorrowed(thread, 0, RECORD_THREAD_END, JVM.counterTime());
            return;
        }
        long time = JVM.counterTime();
        if (!RingRecords.putUnknownEnd(control, thread, 0, RECORD_THREAD_END, time)) {
            endNext(control, platform, thread, 0, RECORD_THREAD_END, time);
        }
    }

    private static void endOwner(long owned, long id) {
        long control = owned;
        int mode = RingOwners.modeOf(control);
        if (mode == MODE_UNKNOWN) {
            long time = JVM.counterTime();
            if (!RingRecords.putUnknownEnd(control, id, 0, RECORD_THREAD_END, time)) {
                endNext(control, id, id, 0, RECORD_THREAD_END, time);
                control = RingOwners.findRing(id);
            }
        } else {
            long open = RingRecords.openOf(control);
            long time = open == 0 ? 0 : JVM.counterTime();
            for (; open != 0; open &= open - 1) {
                RingRecords.putOwnEnd(
                        control, mode, id, 1 + Long.numberOfTrailingZeros(open), time);
            }
        }
        RingOwners.clearCell(id);
        RingOwners.disown(control);
    }

    // --- When there is no ring, or no room in it

    @ReservedStackAccess
    private static void setBorrowed(
            long id, ContextLayout layout, Object context, Object texts, long[] textOffsets) {
        long control = RingOwners.borrow(id);
        long time = JVM.counterTime();
        if (control == 0) {
            OpenContexts.lose(layout.id);
            RingOwners.countDropped();
            RingOwners.lose(time); // the context before this one may be open
            return;
        }
        try {
            if (!RingRecords.putSet(
                        control, MODE_UNKNOWN, id, time, layout, context, texts, textOffsets)) {
                refuse(control, MODE_UNKNOWN, id, layout.id, time);
                Native.drainSoon();
            }
        } finally {
            RingOwners.giveBack(control);
        }
    }

    @ReservedStackAccess
    private static void endBorrowed(long id, int typeId, int kind, long time) {
        long control = RingOwners.borrow(id);
        if (control == 0) {
            RingOwners.lose(time);
            return;
        }
        try {
            if (!RingRecords.putUnknownEnd(control, id, typeId, kind, time)) {
                RingOwners.lose(time);
            }
        } finally {
            RingOwners.giveBack(control);
        }
    }

    private static void unsetElsewhere(Thread thread, Thread platform, int typeId, long time) {
        long control = thread == platform ? 0 : RingOwners.takeRing(RingOwners.idOf(platform));
        if (control != 0) {
            RingRecords.putUnknownEnd(control, RingOwners.idOf(thread), typeId, RECORD_UNSET, time);
        } else if (RingOwners.isShort()) {
            endBorrowed(RingOwners.idOf(thread), typeId, RECORD_UNSET, time);
        }
    }

    private static void setNext(long full, Thread thread, Thread platform, long time,
            ContextLayout layout, Object context, Object texts, long[] textOffsets) {
        long next = RingOwners.moveOn(full, RingOwners.idOf(platform));
        long control = next == 0 ? full : next;
        int mode = RingOwners.modeOf(control, thread, platform);
        if (next == 0
                || !RingRecords.putSet(next, mode, RingOwners.idOf(thread), time, layout, context,
                        texts, textOffsets)) {
            refuse(control, mode, RingOwners.idOf(thread), layout.id, time);
        }
    }

    private static void endNext(
            long full, long platform, long id, int typeId, int kind, long time) {
        long next = RingOwners.moveOn(full, platform);
        if (next == 0 || !RingRecords.putUnknownEnd(next, id, typeId, kind, time)) {
            RingOwners.lose(time);
        }
    }

    // There is no room for a context. The one before it ends all the same.
    private static void refuse(long control, int mode, long id, int typeId, long time) {
        OpenContexts.lose(typeId);
        RingRecords.countDropped(control);
        if (mode == MODE_UNKNOWN) {
            if (!RingRecords.putUnknownEnd(control, id, typeId, RECORD_UNSET, time)) {
                RingOwners.lose(time);
            }
        } else if (RingRecords.isOpen(control, typeId)) {
            RingRecords.putOwnEnd(control, mode, id, typeId, time);
        }
    }
}
