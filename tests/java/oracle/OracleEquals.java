// SPDX-License-Identifier: Apache-2.0
package dev.loupe.testapps;

import java.io.IOException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordingFile;

/**
 * Compares the events of two recordings as multisets: order and constant pools do not matter, every
 * value does.
 *
 * <pre>OracleEquals [--subset] [--skip TYPE]... EXPECTED.jfr ACTUAL.jfr</pre>
 *
 * With --subset ACTUAL may hold more. Exit status 0: as expected; 1: not; 3: EXPECTED cannot be
 * read; 4: ACTUAL cannot.
 */
public final class OracleEquals {
    private static final int SHOWN_MAX = 5;

    private final Set<String> skipped = new HashSet<>();
    private final Map<String, Long> balance = new HashMap<>();

    private OracleEquals() {}

    static int run(String[] args) {
        return new OracleEquals().compare(args);
    }

    private int compare(String[] args) {
        boolean isSubset = false;
        int at = 0;
        for (; args[at].startsWith("--"); at++) {
            if (args[at].equals("--subset")) {
                isSubset = true;
            } else {
                skipped.add(args[++at]);
            }
        }
        long expected = add(args[at], 1);
        if (expected < 0) {
            return 3;
        }
        long actual = add(args[at + 1], -1);
        if (actual < 0) {
            return 4;
        }
        int missing = report("missing", 1);
        int surplus = isSubset ? 0 : report("too many", -1);
        System.out.println("expected " + expected + " actual " + actual + " missing " + missing
                + " surplus " + surplus);
        return missing + surplus == 0 ? 0 : 1;
    }

    private long add(String file, long weight) {
        long count = 0;
        Canonical canonical = new Canonical(Canonical.SHORT);
        try (RecordingFile recording = new RecordingFile(Path.of(file))) {
            while (recording.hasMoreEvents()) {
                RecordedEvent event = recording.readEvent();
                String name = event.getEventType().getName();
                if (!skipped.contains(name) && !OracleFile.isOwn(event)) {
                    balance.merge(canonical.event(event), weight, Long::sum);
                    count++;
                }
            }
            return count;
        } catch (IOException | RuntimeException | InternalError | StackOverflowError e) {
            System.out.println("cannot read " + file + " after " + count + " events: " + e);
            return -1;
        }
    }

    private int report(String what, int sign) {
        int count = 0;
        for (Map.Entry<String, Long> entry : balance.entrySet()) {
            long n = entry.getValue() * sign;
            if (n > 0 && count < SHOWN_MAX) {
                System.out.println(what + " (" + n + "): " + entry.getKey());
            }
            count += n > 0 ? (int) n : 0;
        }
        return count;
    }
}
