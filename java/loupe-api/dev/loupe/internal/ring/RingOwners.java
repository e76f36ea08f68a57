// SPDX-License-Identifier: Apache-2.0
package dev.loupe.internal.ring;

import static dev.loupe.internal.ring.RingLayout.*;

import dev.loupe.internal.agent.Handover;
import dev.loupe.internal.agent.Native;
import jdk.internal.misc.Unsafe;
import jdk.internal.vm.annotation.ReservedStackAccess;

/**
 * The rings and the threads that own them. A ring is named by the address of its control words, 0
 * for none.
 */
public final class RingOwners {
    private static final Unsafe UNSAFE = Unsafe.getUnsafe();
    private static final long THREAD_ID = UNSAFE.objectFieldOffset(Thread.class, "tid");

    private static final int BUCKET_BYTES = BUCKET_CELLS * Long.BYTES;
    private static final int BUCKET_SHIFT = Long.SIZE - BUCKET_BITS;
    private static final int CELL_RING = (1 << CELL_BITS) - 1;

    private static final long CONTROLS = Handover.rings[0];
    private static final long CELLS = Handover.rings[1];
    static final long COMMON = Handover.rings[2];

    // Null and 0: this JVM has no virtual threads.
    private static final Class<?> VIRTUAL = virtualThreadClass();
    private static final long CARRIER =
            VIRTUAL == null ? 0 : UNSAFE.objectFieldOffset(VIRTUAL, "carrierThread");

    private RingOwners() {}

    private static Class<?> virtualThreadClass() {
        try {
            return Class.forName("java.lang.VirtualThread");
        } catch (ClassNotFoundException e) {
            return null;
        }
    }

    /** Returns the id of a thread, as records have it. */
    public static long idOf(Thread thread) {
        return UNSAFE.getLong(thread, THREAD_ID);
    }

    /**
     * Returns the thread itself, or the one that carries it. It stays the same while a record is
     * written: a virtual thread is not unmounted where it neither blocks nor parks.
     */
    public static Thread platformOf(Thread thread) {
        return VIRTUAL != null && thread.getClass() == VIRTUAL
                ? (Thread) UNSAFE.getReference(thread, CARRIER)
                : thread;
    }

    /** Returns how the current thread writes into the ring. */
    public static int modeOf(long control, Thread thread, Thread platform) {
        return thread != platform ? MODE_UNKNOWN : modeOf(control);
    }

    /** Returns how the owner of the ring writes its own records. */
    public static int modeOf(long control) {
        return UNSAFE.getInt(control + CONTROL_MODE);
    }

    /** Returns the ring that a platform thread has; 0 if it has none. */
    public static long findRing(long platform) {
        long bucket = bucketOf(platform);
        for (long cell = bucket; cell < bucket + BUCKET_BYTES; cell += Long.BYTES) {
            long owned = UNSAFE.getLong(cell);
            if (owned >>> CELL_BITS == platform) {
                return controlOf((int) owned & CELL_RING);
            }
        }
        return 0;
    }

    /** Returns the ring that a platform thread has now; 0 if it can have none. */
    public static long findOrTakeRing(long platform) {
        long control = findRing(platform);
        return control != 0 ? control : takeRing(platform);
    }

    private static long bucketOf(long platform) {
        return CELLS + (platform * BUCKET_FACTOR >>> BUCKET_SHIFT) * BUCKET_BYTES;
    }

    private static long controlOf(int index) {
        return CONTROLS + (long) index * CONTROL_BYTES;
    }

    /**
     * Takes an empty ring for a platform thread that has none, and returns it; 0 if none is empty,
     * or the thread's bucket is full.
     */
    // An error on the way would leave a ring taken for good: hence ReservedStackAccess here, and
    // for those below and in Rings that take one.
    @ReservedStackAccess
    public static long takeRing(long platform) {
        boolean wasShort = isShort();
        int index = takeEmpty(platform);
        if (index >= 0) {
            long control = controlOf(index);
            UNSAFE.putInt(control + CONTROL_MODE, wasShort ? MODE_UNKNOWN : MODE_PLAIN);
            UNSAFE.putLong(control + CONTROL_OPEN, 0);
            if (putCell(platform, 0, index)) {
                if (index >= RINGS_SPARE && isNapping()) {
                    Native.drainSoon(); // last: should it fail, the ring is the thread's
                }
                return control;
            }
            disown(control);
        }
        if (!wasShort) {
            UNSAFE.putLongVolatile(null, COMMON + COMMON_IS_SHORT, 1);
        }
        return 0;
    }

    /**
     * Leaves a ring that is full for an empty one, and returns that; 0 if there is none. The full
     * one is the drain's, until it is empty.
     */
    @ReservedStackAccess
    public static long moveOn(long full, long platform) {
        Native.drainSoon(); // first: should it fail, nothing has changed
        int index = takeEmpty(platform);
        if (index < 0) {
            return 0;
        }
        long control = controlOf(index);
        int mode = UNSAFE.getInt(full + CONTROL_MODE);
        UNSAFE.putInt(control + CONTROL_MODE, mode == MODE_PLAIN ? MODE_LOOSE : mode);
        UNSAFE.putLong(control + CONTROL_OPEN, UNSAFE.getLong(full + CONTROL_OPEN));
        // A drain that is at work may have passed the full ring by; the one after that does not.
        UNSAFE.putLong(control + CONTROL_PLAIN_FROM, drains() + 2);
        putCell(platform, platform, index);
        disown(full);
        return control;
    }

    // Takes a ring in which there is nothing, and returns its index; -1 if there is none.
    private static int takeEmpty(long platform) {
        long now = drains() + 1;
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

    /** Gives a ring back. */
    // Pairs with the compare-and-set: the next owner goes on where this one stopped.
    public static void disown(long control) {
        UNSAFE.putLongRelease(null, control + CONTROL_OWNER, 0);
    }

    // Notes in the cell of thread before (0: in an empty one) that a thread has a ring.
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

    /** Notes that a platform thread has no ring any more. */
    public static void clearCell(long platform) {
        long bucket = bucketOf(platform);
        for (long cell = bucket; cell < bucket + BUCKET_BYTES; cell += Long.BYTES) {
            if (UNSAFE.getLong(cell) >>> CELL_BITS == platform) {
                UNSAFE.putLong(cell, 0);
            }
        }
    }

    /** Returns whether some thread may have contexts open although it has no ring. */
    public static boolean isShort() {
        return UNSAFE.getLong(COMMON + COMMON_IS_SHORT) != 0;
    }

    // Returns whether records stay in the rings for some time.
    private static boolean isNapping() {
        return UNSAFE.getLong(COMMON + COMMON_IS_NAPPING) != 0;
    }

    /** Takes one of the shared rings for one record; 0 if all are taken just now. */
    public static long borrow(long thread) {
        for (int i = 0; i < RINGS_SHARED; i++) {
            long control = controlOf(RINGS_OWN + ((int) thread + i & RINGS_SHARED - 1));
            if (tryOwn(control, thread)) {
                return control;
            }
        }
        return 0;
    }

    /**
     * Gives a shared ring back. No thread leaves one that is full for another: so a drain that
     * rests has to come before that.
     */
    public static void giveBack(long control) {
        boolean isLate = RingRecords.isHalfFull(control) && isNapping();
        disown(control);
        if (isLate) {
            try {
                Native.drainSoon();
            } catch (VirtualMachineError e) {
                // The record counts all the same. The next thread tries again.
            }
        }
    }

    /** Notes that an end could not be written. The agent ends all contexts then. */
    public static void lose(long time) {
        UNSAFE.compareAndSetLong(null, COMMON + COMMON_LOST_FROM, 0, time);
    }

    private static long drains() {
        return UNSAFE.getLongVolatile(null, COMMON + COMMON_DRAINS);
    }

    /** Counts a context that was not recorded as there was no ring for it. */
    public static void countDropped() {
        UNSAFE.getAndAddLong(null, COMMON + COMMON_DROPPED, 1);
    }

    /** Counts at one of the counters of a ring, which only its owner does. */
    static void count(long counter) {
        UNSAFE.putLong(counter, UNSAFE.getLong(counter) + 1);
    }
}
