// SPDX-License-Identifier: Apache-2.0
package dev.loupe.internal.ring;

import static dev.loupe.internal.ring.RingLayout.*;

import jdk.internal.misc.Unsafe;

/**
 * Writes texts: the bytes of a string, which are Latin-1 or UTF-16, cut where they are too many.
 */
public final class RingTexts {
    private static final Unsafe UNSAFE = Unsafe.getUnsafe();
    private static final long STRING_VALUE = UNSAFE.objectFieldOffset(String.class, "value");
    private static final long STRING_CODER = UNSAFE.objectFieldOffset(String.class, "coder");
    private static final long BYTES = baseOffset("ARRAY_BYTE_BASE_OFFSET");

    private RingTexts() {}

    // These constants are int in some JDKs and long in others, and compiled code could name only
    // one of them.
    static long baseOffset(String constant) {
        try {
            return Unsafe.class.getField(constant).getLong(null);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    /** Returns the text of a value, null if it has none. */
    public static String textOf(CharSequence text) {
        try {
            return text == null ? null : text.toString();
        } catch (RuntimeException e) {
            return null; // the application did not ask for its text to be made here
        }
    }

    static void putText(long at, String text, int span, long control) {
        if (text == null) {
            UNSAFE.putLong(at, STRING_NULL);
            return;
        }
        byte[] value = (byte[]) UNSAFE.getReference(text, STRING_VALUE);
        if (span < value.length) {
            RingOwners.count(control + CONTROL_CUT);
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

    static int padded(int span) {
        return (span + 7) & ~7;
    }

    /**
     * Returns how many bytes of the string's value are recorded: as many as are at most
     * VALUE_BYTES_MAX bytes of UTF-8.
     */
    static int spanOf(String string) {
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
