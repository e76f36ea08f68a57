// SPDX-License-Identifier: Apache-2.0
package dev.loupe.internal.ring;

import jdk.internal.misc.Unsafe;

/** Values of a context that were taken from methods, where {@link RingValues} finds them. */
public final class AccessValues {
    /** How many attributes a type can have. */
    public static final int COUNT = RingLayout.TYPE_ATTRIBUTES_MAX;

    // Attribute i is one of these. The lower bytes of a long are its first ones.
    private final long bits0, bits1, bits2, bits3, bits4, bits5, bits6, bits7, bits8, bits9, bits10,
            bits11, bits12, bits13, bits14, bits15;
    private final String text0, text1, text2, text3, text4, text5, text6, text7, text8, text9,
            text10, text11, text12, text13, text14, text15;

    public AccessValues(long b0, long b1, long b2, long b3, long b4, long b5, long b6, long b7,
            long b8, long b9, long b10, long b11, long b12, long b13, long b14, long b15, String t0,
            String t1, String t2, String t3, String t4, String t5, String t6, String t7, String t8,
            String t9, String t10, String t11, String t12, String t13, String t14, String t15) {
        bits0 = b0;
        bits1 = b1;
        bits2 = b2;
        bits3 = b3;
        bits4 = b4;
        bits5 = b5;
        bits6 = b6;
        bits7 = b7;
        bits8 = b8;
        bits9 = b9;
        bits10 = b10;
        bits11 = b11;
        bits12 = b12;
        bits13 = b13;
        bits14 = b14;
        bits15 = b15;
        text0 = t0;
        text1 = t1;
        text2 = t2;
        text3 = t3;
        text4 = t4;
        text5 = t5;
        text6 = t6;
        text7 = t7;
        text8 = t8;
        text9 = t9;
        text10 = t10;
        text11 = t11;
        text12 = t12;
        text13 = t13;
        text14 = t14;
        text15 = t15;
    }

    /** Returns where attribute {@code i} is, which is a text or not, for {@code Unsafe}. */
    public static long offsetOf(int i, boolean isText) {
        return Unsafe.getUnsafe().objectFieldOffset(
                AccessValues.class, (isText ? "text" : "bits") + i);
    }

    public static long bitsOf(float value) {
        return Integer.toUnsignedLong(Float.floatToRawIntBits(value));
    }

    public static long bitsOf(double value) {
        return Double.doubleToRawLongBits(value);
    }
}
