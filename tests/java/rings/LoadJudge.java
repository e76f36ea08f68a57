// SPDX-License-Identifier: Apache-2.0
package dev.loupe.rings;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;

/**
 * Judges what {@link Load} left: {@code LoadJudge FILE SETS}. What each thread did is there in
 * order, with what it wrote, except for contexts that were dropped whole and counted; and in the
 * end nothing is open.
 */
public final class LoadJudge {
    private static final class Seen {
        long number = -1;
        long time;
        boolean isOpen;
        boolean hasEnded;
    }

    private LoadJudge() {}

    public static void main(String[] args) throws Exception {
        boolean isVirtual = args[1].equals("virtual");
        long sets = 0;
        long ended = 0;
        Map<Long, Seen> threads = new HashMap<>();
        try (Records records = new Records(Path.of(args[0]))) {
            while (records.next()) {
                if (records.thread == Records.ALL_THREADS) {
                    check(isVirtual && records.kind == Records.THREAD_END, "end of all", records);
                    threads.values().forEach(seen -> seen.isOpen = false);
                    continue;
                }
                Seen seen = threads.computeIfAbsent(records.thread, id -> new Seen());
                check(records.time >= seen.time, "time", records);
                check(!seen.hasEnded, "a record behind the thread's end", records);
                seen.time = records.time;
                if (isVirtual && records.kind == Records.THREAD_END) {
                    // It died while dead threads were looked for: its last end was not drained yet.
                    check(records.type == 0, "end of a thread", records);
                    seen.hasEnded = true;
                    seen.isOpen = false;
                    ended++;
                    continue;
                }
                check(records.type == 1, "type", records);
                if (records.kind == Records.SET) {
                    long number = records.nextLong();
                    check(number > seen.number, "order", records);
                    check(Load.textOf(number).equals(records.nextText()), "text", records);
                    check(!records.values.hasRemaining(), "length", records);
                    seen.number = number;
                    seen.isOpen = true;
                    sets++;
                } else {
                    // What a virtual thread has open is not known where it ends.
                    check(records.kind == Records.UNSET && (isVirtual || seen.isOpen),
                            "end without begin", records);
                    seen.isOpen = false;
                }
            }
        }
        if (threads.values().stream().anyMatch(seen -> seen.isOpen)) {
            throw new AssertionError("a context was never ended");
        }
        String[] counts = Files.readString(Path.of(args[0] + ".counts")).trim().split(" ");
        long dropped = Long.parseLong(counts[1]);
        System.out.println(threads.size() + " threads, " + sets + " contexts, " + dropped
                + " dropped, " + ended + " threads found dead");
        if (sets == 0 || sets != Long.parseLong(counts[0])
                || sets + dropped != Long.parseLong(args[2])) {
            throw new AssertionError(
                    "that is not " + args[2] + ", or not what was counted: " + counts[0]);
        }
    }

    private static void check(boolean isRight, String what, Records records) {
        if (!isRight) {
            throw new AssertionError("thread " + records.thread + " at " + records.time + ", type "
                    + records.type + ", kind " + records.kind + ": " + what);
        }
    }
}
