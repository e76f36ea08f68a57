// SPDX-License-Identifier: Apache-2.0
package dev.loupe.testapps;

import java.util.ArrayList;
import java.util.List;
import java.util.function.LongConsumer;

/**
 * Events that last, by the clock of the context that they are in: which is the innermost one at a
 * time. Of two, the one that begins later is inside the other, then the one that is shorter, then
 * the one that comes first in the file.
 */
final class OracleNested {
    /** lastEnd: of the events up to this one. */
    private record Entry(OracleRow row, long begin, long end, long lastEnd) {}

    private final List<Entry> entries = new ArrayList<>(); // what is inside comes later
    private final OracleFile.Clock clock;

    OracleNested(List<OracleRow> rows, OracleFile.Clock clock) {
        this.clock = clock;
        rows.stream()
                .filter(row -> row.begin != row.commit)
                .sorted((a, b)
                                -> isInside(a, b) ? 1
                                : isInside(b, a)  ? -1
                                                  : 0)
                .forEach(this::add);
    }

    private static boolean isInside(OracleRow row, OracleRow other) {
        if (row.begin != other.begin) {
            return row.begin > other.begin;
        }
        return row.commit != other.commit ? row.commit < other.commit : row.index < other.index;
    }

    /** Adds one that is not outside of any that is here. */
    void add(OracleRow row) {
        long end = clock.nanos(row.commit);
        long lastEnd =
                entries.isEmpty() ? end : Math.max(end, entries.get(entries.size() - 1).lastEnd);
        entries.add(new Entry(row, clock.nanos(row.begin), end, lastEnd));
    }

    /** The events, each behind those that it is inside of. */
    List<OracleRow> rows() {
        return entries.stream().map(Entry::row).toList();
    }

    /** The innermost event that goes on at a time; null if there is none. */
    OracleRow innermost(long nanos) {
        for (int i = countBegun(nanos) - 1; i >= 0 && entries.get(i).lastEnd > nanos; i--) {
            if (nanos < entries.get(i).end) {
                return entries.get(i).row;
            }
        }
        return null;
    }

    private int countBegun(long nanos) {
        int low = 0;
        for (int high = entries.size(); low < high;) {
            int middle = (low + high) / 2;
            if (entries.get(middle).begin <= nanos) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        return low;
    }

    /** When each begins and ends, in any order. */
    void forEachMoment(LongConsumer consumer) {
        for (Entry entry : entries) {
            consumer.accept(entry.begin);
            consumer.accept(entry.end);
        }
    }
}
