// SPDX-License-Identifier: Apache-2.0
package dev.loupe.internal.recording;

/** The names of event types that a pattern stands for, in which * is any characters or none. */
final class TypePattern {
    private TypePattern() {}

    /** Returns whether it is a pattern, and not a name. */
    static boolean isPattern(String event) {
        return event.indexOf('*') >= 0;
    }

    /** Returns whether a name matches a pattern. A name matches itself. */
    static boolean fits(String name, String pattern) {
        int at = 0;
        int in = 0;
        int star = -1;
        int retry = 0; // end of the text that the last star matches
        while (at < name.length()) {
            if (in < pattern.length() && pattern.charAt(in) == '*') {
                star = in++;
                retry = at;
            } else if (in < pattern.length() && pattern.charAt(in) == name.charAt(at)) {
                in++;
                at++;
            } else if (star >= 0) {
                in = star + 1;
                at = ++retry;
            } else {
                return false;
            }
        }
        while (in < pattern.length() && pattern.charAt(in) == '*') {
            in++;
        }
        return in == pattern.length();
    }
}
