// SPDX-License-Identifier: Apache-2.0
package dev.loupe.testapps;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * A test program's own list of what it did, one line an action: fields separated by tabs, strings
 * in ASCII with backslash-u escapes behind an equals sign, null as a minus sign. What the collector
 * made of the run is judged by it.
 *
 * Threads: a Journal belongs to one thread until it is handed over to {@link #write}.
 */
final class Journal {
    private final List<Object[]> lines = new ArrayList<>(4096);

    void add(Object... fields) {
        lines.add(fields);
    }

    static void write(Path file, List<Journal> journals) throws IOException {
        try (PrintWriter out =
                        new PrintWriter(Files.newBufferedWriter(file, StandardCharsets.US_ASCII))) {
            for (Journal journal : journals) {
                for (Object[] fields : journal.lines) {
                    StringBuilder line = new StringBuilder();
                    for (Object field : fields) {
                        line.append(line.length() == 0 ? "" : "\t").append(text(field));
                    }
                    out.print(line.append('\n'));
                }
            }
        }
    }

    /** Numbers as themselves, a float or double by its bits, characters and booleans as numbers. */
    static String text(Object value) {
        if (value == null) {
            return "-";
        }
        if (value instanceof Boolean b) {
            return b ? "1" : "0";
        }
        if (value instanceof Character c) {
            return Integer.toString(c);
        }
        if (value instanceof Float f) {
            return "f" + Integer.toHexString(Float.floatToRawIntBits(f));
        }
        if (value instanceof Double d) {
            return "d" + Long.toHexString(Double.doubleToRawLongBits(d));
        }
        if (value instanceof Number n) {
            return n.toString();
        }
        return "=" + escape(value.toString());
    }

    private static String escape(String s) {
        StringBuilder out = new StringBuilder(s.length());
        for (int i = 0; i < s.length(); i++) {
            char c = s.charAt(i);
            if (c > ' ' && c < 0x7f && c != '\\') {
                out.append(c);
            } else {
                out.append(String.format("\\u%04x", (int) c));
            }
        }
        return out.toString();
    }
}
