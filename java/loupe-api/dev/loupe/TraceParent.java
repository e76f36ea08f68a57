// SPDX-License-Identifier: Apache-2.0
package dev.loupe;

/**
 * The header of W3C Trace Context by which a caller names the trace that a request, a call or a
 * message belongs to.
 */
public final class TraceParent {
    /** The name of the header. */
    public static final String HEADER = "traceparent";

    // Where each part begins; the version is the first, and a dash is behind each. The length is
    // that of version 00. Later ones may have more.
    private static final int TRACE_ID = 3;
    private static final int PARENT_ID = 36;
    private static final int FLAGS = 53;
    private static final int LENGTH = 55;

    private TraceParent() {}

    /**
     * Returns the trace id of a header.
     *
     * @param value the value of the header; null if there is none
     * @return 32 hexadecimal digits; null if the value is null or not valid
     */
    public static String traceId(String value) {
        boolean isValid = value != null && value.length() >= LENGTH && isVersion(value)
                && isId(value, TRACE_ID, PARENT_ID) && isId(value, PARENT_ID, FLAGS)
                && isHex(value, FLAGS, LENGTH);
        return isValid ? value.substring(TRACE_ID, PARENT_ID - 1) : null;
    }

    private static boolean isVersion(String value) {
        boolean isFirst = value.startsWith("00"); // whose length is known
        return isHex(value, 0, TRACE_ID - 1) && value.charAt(TRACE_ID - 1) == '-'
                && !value.startsWith("ff")
                && (value.length() == LENGTH || !isFirst && value.charAt(LENGTH) == '-');
    }

    // From begin to a dash before end: hexadecimal digits that are not all zero.
    private static boolean isId(String value, int begin, int end) {
        int i = begin;
        while (i < end - 1 && value.charAt(i) == '0') {
            i++;
        }
        return i < end - 1 && isHex(value, i, end - 1) && value.charAt(end - 1) == '-';
    }

    private static boolean isHex(String value, int begin, int end) {
        for (int i = begin; i < end; i++) {
            char c = value.charAt(i);
            if (!('0' <= c && c <= '9' || 'a' <= c && c <= 'f')) {
                return false;
            }
        }
        return true;
    }
}
