// SPDX-License-Identifier: Apache-2.0
package dev.loupe.testapps;

import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordingFile;

/**
 * Judges a recording of {@link Storm}.
 *
 * <pre>StormJudge RECORDING.jfr</pre>
 *
 * Prints "marks COUNT right COUNT bare COUNT nameless COUNT wrong COUNT outside": in a context on
 * their thread that has their number, in none, in one without entries, or in another; and those
 * that were made outside of all contexts.
 */
public final class StormJudge {
    private record Context(long begin, long end, String number) {}

    private final Map<Long, TreeMap<Long, Context>> contexts = new HashMap<>(); // by thread, begin
    private int right;
    private int bare;
    private int nameless;
    private int wrong;
    private int outside;

    private StormJudge() {}

    static int run(String[] args) throws Exception {
        StormJudge judge = new StormJudge();
        for (int pass = 0; pass < 2; pass++) {
            try (RecordingFile file = new RecordingFile(Path.of(args[0]))) {
                while (file.hasMoreEvents()) {
                    judge.look(file.readEvent(), pass == 0);
                }
            }
        }
        System.out.println("marks " + judge.right + " right " + judge.bare + " bare "
                + judge.nameless + " nameless " + judge.wrong + " wrong " + judge.outside
                + " outside");
        return 0;
    }

    private void look(RecordedEvent event, boolean isFirst) {
        String type = event.getEventType().getName();
        if (isFirst && type.equals("loupe.RecordingContext")) {
            long begin = event.getValue("startTime");
            long end = begin + (long) event.getValue("duration");
            String number = event.hasField("number") ? event.getString("number") : null;
            contexts.computeIfAbsent(threadOf(event), thread -> new TreeMap<>())
                    .put(begin, new Context(begin, end, number));
        } else if (!isFirst && type.equals("e2e.Tick")) {
            judge(event.getValue("startTime"), threadOf(event), event.getLong("seq"));
        }
    }

    private void judge(long time, long thread, long seq) {
        Map.Entry<Long, Context> before =
                contexts.getOrDefault(thread, new TreeMap<>()).floorEntry(time);
        boolean isInside = before != null && before.getValue().end >= time;
        String number = isInside ? before.getValue().number : null;
        if (seq == Storm.OUTSIDE) {
            outside++;
            wrong += isInside ? 1 : 0;
        } else if (!isInside) {
            bare++;
        } else if (Objects.equals(number, Long.toString(seq))) {
            right++;
        } else if (number == null) {
            nameless++;
        } else {
            wrong++;
        }
    }

    private static long threadOf(RecordedEvent event) {
        return event.getThread("eventThread").getJavaThreadId();
    }
}
