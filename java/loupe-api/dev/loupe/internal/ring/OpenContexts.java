// SPDX-License-Identifier: Apache-2.0
package dev.loupe.internal.ring;

import static dev.loupe.internal.ring.RingLayout.*;

import java.util.Arrays;
import jdk.internal.misc.Unsafe;
import jdk.jfr.internal.JVM;

/**
 * The open contexts of a thread, with their values if tasks carry contexts. Each record that begins
 * or ends a context is noted here, and each hand-over of a task reads it. A thread that never had a
 * context has no such object.
 */
public final class OpenContexts {
    /**
     * Whether contexts are noted, for tasks or to withhold events. Set once, when the API may be
     * active already: a thread notes nothing until it sees this.
     */
    static boolean isOn;

    /**
     * Whether a context was recorded and not noted, as memory or stack were short. From then on it
     * is unknown which events are outside.
     */
    static volatile boolean isUnsure;

    private static final long LOST = Long.MAX_VALUE; // a time: no event is later

    private static final Unsafe UNSAFE = Unsafe.getUnsafe();
    private static final long THREAD_LOCALS =
            UNSAFE.objectFieldOffset(Thread.class, "threadLocals");
    private static final ThreadLocal<OpenContexts> CURRENT = new ThreadLocal<>();
    private static final int WORDS_LEAST = 8; // of the memory for the values of a type

    private final long[][] values = new long[TYPES_MAX + 1][]; // by type id
    private final int[] counts = new int[TYPES_MAX + 1]; // of the words in them
    private long open; // bit (type id - 1)
    private long borrowed; // the same: the lender has the values
    private Object stack; // where the RecordingContext comes from, as Recordings.set was told
    private boolean isHeldBack; // a task that is handed over just now carries no contexts
    private Lender lender; // null: there is none
    private boolean isLenders; // the contexts are exactly the lender's
    private long ended = Long.MIN_VALUE; // when one ended last, in JFR's ticks; LOST: unknown
    private long later = Long.MIN_VALUE; // a time that was read after that

    /** Contexts with values that do not change. */
    public interface Lender {
        /** Returns the values of a context that it has. */
        long[] wordsOf(int typeId);
    }

    private OpenContexts() {}

    /** Starts to note contexts, before there are any. */
    public static void turnOn() {
        isOn = true;
    }

    /** Returns the contexts of the current thread, null if it never had any. */
    public static OpenContexts find() {
        // A look into the thread, since ThreadLocal.get would give it a map.
        return UNSAFE.getReference(Thread.currentThread(), THREAD_LOCALS) == null ? null
                                                                                  : CURRENT.get();
    }

    /** Returns the contexts of the current thread. */
    public static OpenContexts findOrMake() {
        OpenContexts contexts = CURRENT.get();
        if (contexts == null) {
            contexts = new OpenContexts();
            CURRENT.set(contexts);
        }
        return contexts;
    }

    // Notes that the current thread has begun a context, whose values are at an address. Where
    // memory is short, tasks do not carry it.
    static void begin(int typeId, long at, int bytes) {
        try {
            findOrMake().note(typeId, at, bytes / Long.BYTES);
        } catch (OutOfMemoryError e) {
            isUnsure = true;
            OpenContexts contexts = findOpen(typeId);
            if (contexts != null) {
                contexts.endAllOf(bitOf(typeId), LOST);
            }
        }
    }

    private void note(int typeId, long at, int count) {
        long[] words = values[typeId];
        if (words == null || words.length < count) {
            words = new long[Math.max(count, WORDS_LEAST)];
            values[typeId] = words;
        }
        for (int i = 0; i < count; i++) {
            words[i] = UNSAFE.getLong(at + (long) i * Long.BYTES);
        }
        counts[typeId] = count;
        borrowed &= ~bitOf(typeId);
        open |= bitOf(typeId);
        isLenders = false;
    }

    /**
     * Notes that this thread begins the contexts that a lender has.
     *
     * @param types bit (type id - 1) for each; they are all that are borrowed from now on
     */
    public void borrow(Lender lender, long types) {
        this.lender = types == 0 ? null : lender;
        borrowed = types;
        open |= types;
        isLenders = false;
    }

    /** Returns the contexts of the current thread, null if none were noted. */
    public static OpenContexts findNoted() {
        return isOn ? find() : null;
    }

    /** Returns the contexts of the current thread if one of this type is open, else null. */
    public static OpenContexts findOpen(int typeId) {
        OpenContexts contexts = findNoted();
        return contexts != null && contexts.isOpen(typeId) ? contexts : null;
    }

    /**
     * Notes that this thread ends contexts at a time in JFR's ticks, bit (type id - 1) for each.
     */
    public void endAllOf(long types, long time) {
        open &= ~types;
        ended = time;
        isLenders = false;
    }

    /**
     * Notes that a context of the current thread is not recorded, and that the one before it may
     * have no end. No event is outside until the next context has ended.
     */
    public static void lose(int typeId) {
        if (isOn) {
            try {
                findOrMake().endAllOf(bitOf(typeId), LOST);
            } catch (OutOfMemoryError e) {
                isUnsure = true;
            }
        }
    }

    /** Notes that a context may be open in the ring which is not noted any more. */
    public static void loseTrack() {
        isUnsure = true;
    }

    /** Returns whether all contexts were noted. */
    public static boolean isSure() {
        return isOn && !isUnsure;
    }

    /**
     * Returns whether certainly no context applies to an event that the current thread commits now.
     *
     * @param start when it began, in JFR's ticks; 0: it begins and ends now
     */
    public static boolean isOutside(long start) {
        if (!isSure()) {
            return false;
        }
        OpenContexts contexts = find();
        if (contexts == null) {
            return hasNoRing(Thread.currentThread());
        }
        return contexts.open == 0 && (start == 0 ? contexts.isLater() : start > contexts.ended);
    }

    // A pool may have taken the object away from a thread that has contexts.
    private static boolean hasNoRing(Thread thread) {
        return RingOwners.platformOf(thread) != thread
                || RingOwners.findRing(RingOwners.idOf(thread)) == 0 && !RingOwners.isShort();
    }

    // The clock may stand, so that an event that begins now begins when the last context ended. The
    // first call after that end returns false, and reads the clock for those to come.
    private boolean isLater() {
        if (later > ended) {
            return true;
        }
        later = JVM.counterTime();
        return false;
    }

    public boolean isOpen(int typeId) {
        return (open & bitOf(typeId)) != 0;
    }

    private static long bitOf(int typeId) {
        return 1L << (typeId - 1);
    }

    /** Returns which types are open, bit (type id - 1) for each. */
    public long open() {
        return open;
    }

    /** Returns the words of a context that is open; nobody changes them. */
    public long[] wordsOf(int typeId) {
        return (borrowed & bitOf(typeId)) != 0 ? lender.wordsOf(typeId)
                                               : Arrays.copyOf(values[typeId], counts[typeId]);
    }

    /** Notes that the current thread has begun a RecordingContext, and where that comes from. */
    public static void beginRecording(int typeId, Object stack) {
        if (!isOn) {
            return;
        }
        try {
            OpenContexts contexts = findOrMake();
            contexts.keepStack(stack);
            contexts.open |= bitOf(typeId);
            contexts.isLenders = false;
        } catch (OutOfMemoryError e) {
            isUnsure = true; // the thread never had one, and this one is not carried
        }
    }

    /** Notes where the RecordingContext of the thread comes from. */
    public static void setStack(Object stack) {
        OpenContexts contexts = findNoted();
        if (contexts != null) {
            contexts.keepStack(stack);
        }
    }

    // Writes the reference only if it changes, which it rarely does: in an old object it costs G1 a
    // memory barrier.
    private void keepStack(Object stack) {
        if (this.stack != stack) {
            this.stack = stack;
        }
    }

    public Object stack() {
        return stack;
    }

    public boolean isHeldBack() {
        return isHeldBack;
    }

    public void setHeldBack(boolean isHeldBack) {
        this.isHeldBack = isHeldBack;
    }

    /** Returns the lender if it has just these contexts, else null. */
    public Lender lender() {
        return isLenders ? lender : null;
    }

    /** Notes that somebody has just these contexts, including those that are borrowed. */
    public void setLender(Lender lender) {
        if (this.lender != lender) {
            this.lender = lender;
        }
        isLenders = true;
    }
}
