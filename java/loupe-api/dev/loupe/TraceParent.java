// SPDX-License-Identifier: Apache-2.0
package dev.loupe;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The header of W3C Trace Context by which a caller names the trace that a request, a call or a
 * message belongs to.
 */
public final class TraceParent {
    /** The name of the header. */
    public static final String HEADER = "traceparent";

    // Version, trace id, parent id and flags. Versions after 00 may go on.
    private static final Pattern VALID =
            Pattern.compile("(?!ff|00.{54})[0-9a-f]{2}-(?!0{32})([0-9a-f]{32})"
                    + "-(?!0{16})[0-9a-f]{16}-[0-9a-f]{2}(?:-.*)?");

    private TraceParent() {}

    /**
     * Returns the trace id of a header.
     *
     * @param value the value of the header; null if there is none
     * @return 32 hexadecimal digits; null if the value is null or not valid
     */
    public static String traceId(String value) {
        Matcher matcher = value == null ? null : VALID.matcher(value);
        return matcher != null && matcher.matches() ? matcher.group(1) : null;
    }
}
