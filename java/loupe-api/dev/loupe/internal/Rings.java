// SPDX-License-Identifier: Apache-2.0
package dev.loupe.internal;

import java.util.HashSet;
import java.util.Set;
import jdk.internal.misc.Unsafe;
import jdk.internal.vm.annotation.ReservedStackAccess;
import jdk.jfr.internal.JVM;

/**
 * Writes context records into the agent's rings: the writing side of src/agent/context/ctx_rings.h,
 * whose layout and names it repeats. docs/internals/context-ring.md says why it is correct.
 *
 * <p>It runs on application threads: no lock, no allocation, no system call. What is between the
 * reservation of a record and its completion must not be left early, or the ring stands still. So
 * those methods may use the stack that the JVM reserves for such sections, and an exception of any
 * other kind completes the record as a pad.
 */
public final class Rings {
    private static final Unsafe UNSAFE = Unsafe.getUnsafe();
    private static final long THREAD_ID = UNSAFE.objectFieldOffset(Thread.class, "tid");
    private static final long STRING_VALUE = UNSAFE.objectFieldOffset(String.class, "value");
    private static final long STRING_CODER = UNSAFE.objectFieldOffset(String.class, "coder");
    private static final long BYTES = baseOffset("ARRAY_BYTE_BASE_OFFSET");

    private static final int RECORD_SET = 1;
    private static final int RECORD_UNSET = 2;
    private static final int RECORD_PAD = 4;
    private static final int HEADER_BYTES = 24;
    private static final int STRING_HEADER_BYTES = 8;
    private static final int STRING_NULL = -1;
    private static final int VALUE_BYTES_MAX = 1024;
    private static final int ATTRIBUTES_MAX = 8;

    private static final int UNIT_SHIFT = 3;
    private static final int RING_BYTES = 256 * 1024;
    private static final int RING_UNITS = RING_BYTES >> UNIT_SHIFT;
    private static final int END_UNITS = HEADER_BYTES >> UNIT_SHIFT;
    private static final int BUCKET_BITS = 11;
    private static final int BUCKET_CELLS = 8;
    private static final int BUCKET_BYTES = BUCKET_CELLS * Long.BYTES;
    private static final int CELL_TYPE_BITS = 8;
    private static final int CELL_TYPES = (1 << CELL_TYPE_BITS) - 1;
    private static final long HASH_FACTOR = 0x9e3779b97f4a7c15L;

    private static final int CONTROL_BYTES = 384;
    private static final int CONTROL_HEAD = 0;
    private static final int CONTROL_TAIL = 128;
    private static final int CONTROL_DROPPED = 256;
    private static final int CONTROL_CUT = 264;

    private static final long CONTROLS = Handover.rings[0];
    private static final long CELLS = Handover.rings[1];
    private static final long RINGS = Handover.rings[2];
    private static final int STRIPE_SHIFT = (int) (Long.SIZE - Handover.rings[3]);
    private static final int BUCKET_SHIFT = STRIPE_SHIFT - BUCKET_BITS;

    private static final Class<?> VIRTUAL = virtualThreadClass(); // null: this JVM has none

    private static final int NEEDS_TEXTS = -1;
    private static final long REFUSED = -1;
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
            return Class.forName("java.lang.BaseVirtualThread");
        } catch (ClassNotFoundException e) {
            return null;
        }
    }

    private static long[] textOffsets() {
        long[] offsets = new long[ATTRIBUTES_MAX];
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
        int size = sizeOf(layout, context, layout.offsets);
        if (size != NEEDS_TEXTS) {
            set(layout, context, context, layout.offsets, size);
        } else {
            Object[] texts = textsOf(layout, context);
            set(layout, context, texts, TEXT_OFFSETS, sizeOf(layout, texts, TEXT_OFFSETS));
        }
    }

    /** Ends the current thread's context of this type; without one it costs a look-up. */
    @ReservedStackAccess
    public static void unset(Object registered) {
        ContextLayout layout = (ContextLayout) registered;
        long thread = idOf(Thread.currentThread());
        long hash = thread * HASH_FACTOR;
        long cell = findCell(hash, thread);
        long bit = 1L << (layout.id - 1);
        if (cell != 0 && (UNSAFE.getLong(cell) & bit) != 0) {
            end(hash, thread, cell, layout.id, JVM.counterTime());
        }
    }

    /** Ends every context of the current thread, which is about to end. */
    static void endCurrentThread() {
        endThread(idOf(Thread.currentThread()));
    }

    /**
     * Ends every context of a thread that sets none any more: the current one at its end, or a dead
     * one. Both may happen at once; who clears the cell ends the contexts.
     */
    @ReservedStackAccess
    static void endThread(long thread) {
        long hash = thread * HASH_FACTOR;
        long cell = findCell(hash, thread);
        if (cell == 0) {
            return;
        }
        long owned = UNSAFE.getLongVolatile(null, cell);
        if (owned >>> CELL_TYPE_BITS != thread || !UNSAFE.compareAndSetLong(null, cell, owned, 0)) {
            return;
        }
        long open = owned & CELL_TYPES;
        if (open == 0) {
            return;
        }
        long time = JVM.counterTime();
        for (; open != 0; open &= open - 1) {
            putEnd(hash, thread, 1 + Long.numberOfTrailingZeros(open), time);
        }
    }

    static long idOf(Thread thread) {
        return UNSAFE.getLong(thread, THREAD_ID);
    }

    /** Collects the ids of the threads that have contexts open. */
    static Set<Long> openThreads() {
        Set<Long> threads = new HashSet<>();
        long end = CELLS + ((long) BUCKET_BYTES << (Long.SIZE - BUCKET_SHIFT));
        for (long cell = CELLS; cell < end; cell += Long.BYTES) {
            long owned = UNSAFE.getLong(cell);
            if ((owned & CELL_TYPES) != 0) {
                threads.add(owned >>> CELL_TYPE_BITS);
            }
        }
        return threads;
    }

    // Where the strings are read from is given apart: texts, at textOffsets. It is the context
    // itself unless one of its strings is another CharSequence.
    @ReservedStackAccess
    private static void set(
            ContextLayout layout, Object context, Object texts, long[] textOffsets, int size) {
        long thread = idOf(Thread.currentThread());
        long time = JVM.counterTime();
        long hash = thread * HASH_FACTOR;
        long control = control(hash);
        long cell = findOrTakeCell(hash, thread);
        if (cell == 0) {
            UNSAFE.getAndAddLong(null, control + CONTROL_DROPPED, 1);
            return;
        }
        long owned = UNSAFE.getLong(cell);
        long bit = 1L << (layout.id - 1);
        boolean isOpen = (owned & bit) != 0;
        long at = reserve(hash, size, isOpen ? 0 : 1);
        if (at == REFUSED) {
            UNSAFE.getAndAddLong(null, control + CONTROL_DROPPED, 1);
            if (isOpen) {
                end(hash, thread, cell, layout.id, time);
            } else {
                putCell(cell, owned);
            }
            return;
        }
        UNSAFE.putLong(cell, owned | bit);
        UNSAFE.putLong(at + 8, thread);
        UNSAFE.putLong(at + 16, time);
        boolean isWhole = false;
        try {
            isWhole = fill(layout, context, texts, textOffsets, control, at, at + size);
        } finally {
            if (!isWhole) {
                // Another thread changed the attributes meanwhile. There is no context then.
                putCell(cell, owned & ~bit);
                forgetOpen(control);
                UNSAFE.getAndAddLong(null, control + CONTROL_DROPPED, 1);
            }
            complete(at, size, layout.id, isWhole ? RECORD_SET : RECORD_PAD);
        }
    }

    private static void end(long hash, long thread, long cell, int typeId, long time) {
        putCell(cell, UNSAFE.getLong(cell) & ~(1L << (typeId - 1)));
        putEnd(hash, thread, typeId, time);
    }

    // The context is open: so there is room for its end.
    private static void putEnd(long hash, long thread, int typeId, long time) {
        long at = reserve(hash, HEADER_BYTES, -1);
        UNSAFE.putLong(at + 8, thread);
        UNSAFE.putLong(at + 16, time);
        complete(at, HEADER_BYTES, typeId, RECORD_UNSET);
    }

    private static long control(long hash) {
        return CONTROLS + (hash >>> STRIPE_SHIFT) * CONTROL_BYTES;
    }

    // Makes room for a record and returns its address, or REFUSED. openChange is what it does to
    // the number of open contexts of the stripe; one that ends a context (-1) is never refused.
    private static long reserve(long hash, int size, int openChange) {
        long control = control(hash);
        int units = size >> UNIT_SHIFT;
        while (true) {
            long head = UNSAFE.getLongVolatile(null, control + CONTROL_HEAD);
            int position = (int) head;
            long open = (head >>> 32) + openChange;
            // Pairs with the release store in the drain: the room that it shows holds zeros.
            int used = position - UNSAFE.getIntAcquire(null, control + CONTROL_TAIL);
            if (openChange >= 0 && used + units + END_UNITS * open > RING_UNITS) {
                return REFUSED;
            }
            long next = open << 32 | Integer.toUnsignedLong(position + units);
            if (UNSAFE.weakCompareAndSetLong(null, control + CONTROL_HEAD, head, next)) {
                long ring = RINGS + (hash >>> STRIPE_SHIFT) * (2L * RING_BYTES);
                return ring + ((long) (position & (RING_UNITS - 1)) << UNIT_SHIFT);
            }
        }
    }

    private static void forgetOpen(long control) {
        UNSAFE.getAndAddLong(null, control + CONTROL_HEAD, -(1L << 32));
    }

    // Pairs with the acquire load in the drain: whoever sees the size sees the record.
    private static void complete(long at, int size, int typeId, int kind) {
        UNSAFE.putLongRelease(null, at, size | (long) typeId << 32 | (long) kind << 48);
    }

    // The cell that says which contexts of the thread are open; 0 if it has none.
    private static long findCell(long hash, long thread) {
        long bucket = CELLS + (hash >>> BUCKET_SHIFT) * BUCKET_BYTES;
        for (long cell = bucket; cell < bucket + BUCKET_BYTES; cell += Long.BYTES) {
            if (UNSAFE.getLong(cell) >>> CELL_TYPE_BITS == thread) {
                return cell;
            }
        }
        return 0;
    }

    private static long findOrTakeCell(long hash, long thread) {
        long cell = findCell(hash, thread);
        return cell != 0 ? cell : takeCell(hash, thread);
    }

    // 0: the bucket is full
    private static long takeCell(long hash, long thread) {
        long bucket = CELLS + (hash >>> BUCKET_SHIFT) * BUCKET_BYTES;
        for (long cell = bucket; cell < bucket + BUCKET_BYTES; cell += Long.BYTES) {
            if (UNSAFE.getLong(cell) == 0
                    && UNSAFE.compareAndSetLong(null, cell, 0, thread << CELL_TYPE_BITS)) {
                return cell;
            }
        }
        return 0;
    }

    // Stores what the current thread's cell says now. When no context is open, a virtual thread
    // gives its cell back: there may be a million, and nobody tells when one ends. Others keep it
    // to their end, and need not take it the next time.
    private static void putCell(long cell, long owned) {
        boolean isGivenBack = (owned & CELL_TYPES) == 0 && VIRTUAL != null
                && VIRTUAL.isInstance(Thread.currentThread());
        UNSAFE.putLong(cell, isGivenBack ? 0 : owned);
    }

    // The size of the record; NEEDS_TEXTS if a value is a CharSequence other than String.
    private static int sizeOf(ContextLayout layout, Object texts, long[] textOffsets) {
        int[] kinds = layout.kinds;
        int size = HEADER_BYTES
                + kinds.length * Long.BYTES; // primitive values, and the headers of strings
        for (int i = 0; layout.hasStrings && i < kinds.length; i++) {
            if (kinds[i] == ContextLayout.STRING) {
                Object text = UNSAFE.getReference(texts, textOffsets[i]);
                if (text instanceof String string) {
                    size += padded(spanOf(string));
                } else if (text != null) {
                    return NEEDS_TEXTS;
                }
            }
        }
        return size;
    }

    private static Object[] textsOf(ContextLayout layout, Object context) {
        Object[] texts = new Object[ATTRIBUTES_MAX];
        for (int i = 0; i < layout.kinds.length; i++) {
            if (layout.kinds[i] == ContextLayout.STRING) {
                texts[i] = textOf((CharSequence) UNSAFE.getReference(context, layout.offsets[i]));
            }
        }
        return texts;
    }

    private static String textOf(CharSequence text) {
        try {
            return text == null ? null : text.toString();
        } catch (RuntimeException e) {
            return null; // the application did not ask for its text to be made here
        }
    }

    // Writes the values to at, behind the header. False if they do not end at exactly end: they are
    // not what sizeOf saw.
    private static boolean fill(ContextLayout layout, Object context, Object texts,
            long[] textOffsets, long control, long at, long end) {
        int[] kinds = layout.kinds;
        long next = at + HEADER_BYTES;
        for (int i = 0; i < kinds.length; i++) {
            if (kinds[i] == ContextLayout.STRING) {
                Object text = UNSAFE.getReference(texts, textOffsets[i]);
                int span = text instanceof String string ? spanOf(string) : 0;
                if (next + STRING_HEADER_BYTES + padded(span) > end) {
                    return false;
                }
                putText(next, text, span, control);
                next += STRING_HEADER_BYTES + padded(span);
            } else {
                if (next + Long.BYTES > end) {
                    return false;
                }
                UNSAFE.putLong(next, bitsOf(kinds[i], context, layout.offsets[i]));
                next += Long.BYTES;
            }
        }
        return next == end;
    }

    private static long bitsOf(int kind, Object context, long offset) {
        switch (kind) {
            case ContextLayout.BOOLEAN:
                return UNSAFE.getBoolean(context, offset) ? 1 : 0;
            case ContextLayout.BYTE:
                return UNSAFE.getByte(context, offset);
            case ContextLayout.CHAR:
                return UNSAFE.getChar(context, offset);
            case ContextLayout.SHORT:
                return UNSAFE.getShort(context, offset);
            case ContextLayout.INT:
                return UNSAFE.getInt(context, offset);
            case ContextLayout.FLOAT:
                return Integer.toUnsignedLong(UNSAFE.getInt(context, offset));
            default:
                return UNSAFE.getLong(context, offset); // long and double
        }
    }

    private static void putText(long at, Object text, int span, long control) {
        if (!(text instanceof String string)) {
            UNSAFE.putInt(at, STRING_NULL);
            return;
        }
        byte[] value = (byte[]) UNSAFE.getReference(string, STRING_VALUE);
        if (span < value.length) {
            UNSAFE.getAndAddLong(null, control + CONTROL_CUT, 1);
        }
        UNSAFE.putInt(at, span);
        UNSAFE.putInt(at + 4, UNSAFE.getByte(string, STRING_CODER));
        copy(value, span, at + STRING_HEADER_BYTES);
    }

    // For strings of usual lengths a loop is faster than the call behind copyMemory.
    private static void copy(byte[] value, int span, long at) {
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
