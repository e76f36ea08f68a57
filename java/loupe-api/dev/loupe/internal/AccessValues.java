// SPDX-License-Identifier: Apache-2.0
package dev.loupe.internal;

import java.lang.reflect.Member;
import java.util.List;
import jdk.internal.misc.Unsafe;

/** Values of a context that were taken from methods, where {@link Rings} finds them. */
final class AccessValues {
    /** How many attributes a type can have. */
    static final int COUNT = 8;

    // Attribute i is one of these. The lower bytes of a long are its first ones.
    private final long bits0, bits1, bits2, bits3, bits4, bits5, bits6, bits7;
    private final String text0, text1, text2, text3, text4, text5, text6, text7;

    AccessValues(long b0, long b1, long b2, long b3, long b4, long b5, long b6, long b7, String t0,
            String t1, String t2, String t3, String t4, String t5, String t6, String t7) {
        bits0 = b0;
        bits1 = b1;
        bits2 = b2;
        bits3 = b3;
        bits4 = b4;
        bits5 = b5;
        bits6 = b6;
        bits7 = b7;
        text0 = t0;
        text1 = t1;
        text2 = t2;
        text3 = t3;
        text4 = t4;
        text5 = t5;
        text6 = t6;
        text7 = t7;
    }

    // A type with more than COUNT attributes is not registered, whatever its offsets.
    static long[] offsets(List<Member> members) {
        long[] offsets = new long[members.size()];
        for (int i = 0; i < offsets.length; i++) {
            boolean isText = !ContextTypes.valueType(members.get(i)).isPrimitive();
            offsets[i] = Unsafe.getUnsafe().objectFieldOffset(
                    AccessValues.class, (isText ? "text" : "bits") + i % COUNT);
        }
        return offsets;
    }

    static long bitsOf(float value) {
        return Integer.toUnsignedLong(Float.floatToRawIntBits(value));
    }

    static long bitsOf(double value) {
        return Double.doubleToRawLongBits(value);
    }
}
