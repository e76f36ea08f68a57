// SPDX-License-Identifier: Apache-2.0
package dev.loupe.testapps;

import dev.loupe.testapps.OracleDecision.Verdict;
import dev.loupe.testapps.OraclePolicy.Rule;
import java.io.IOException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordingFile;

/**
 * The events dev.loupe.Accounting of an output, which have to say of each type what the oracle
 * itself counts: how many events the input had, and how many were dropped by which setting. Those
 * that the input has stay, and are about what was dropped before.
 */
final class OracleAccounts {
    static final String TYPE = "dev.loupe.Accounting";
    private static final List<String> REASONS = List.of("enabled", "threshold", "contextThreshold",
            "contextMatch", "contextThrottle", "select", "filter", "throttle", "damaged");

    /** Of a type and, where it is not null, of a reason. */
    private record Key(String type, String reason) {}

    private final Map<Key, Long> said = new HashMap<>();
    private final Map<Key, Long> dropped = new HashMap<>();
    private final Map<Key, Long> either = new HashMap<>(); // and so many may have been
    private final Map<Key, Long> offered = new HashMap<>();

    OracleAccounts(OracleEvents in, OracleDecision decision, Path inPath, Path outPath)
            throws IOException {
        for (int i = 0; i < in.count; i++) {
            String type = in.typeOf(i).name();
            offered.merge(new Key(type, null), 1L, Long::sum);
            Verdict verdict = decision.verdicts[i];
            if (verdict != Verdict.KEPT) {
                Key key = new Key(type, reason(in, decision, i));
                (verdict == Verdict.DROPPED ? dropped : either).merge(key, 1L, Long::sum);
            }
        }
        add(outPath, 1);
        add(inPath, -1);
    }

    private void add(Path path, int sign) throws IOException {
        try (RecordingFile file = new RecordingFile(path)) {
            while (file.hasMoreEvents()) {
                RecordedEvent event = file.readEvent();
                if (event.getEventType().getName().equals(TYPE)) {
                    add(event, sign);
                }
            }
        }
    }

    private static String reason(OracleEvents in, OracleDecision decision, int event) {
        Rule rule = decision.rule(event);
        long duration = in.commit[event] - in.begin[event];
        if (!rule.isEnabled()) {
            return "enabled";
        }
        if (!rule.passes(duration, in.typeOf(event).ticksPerSecond())) {
            return "threshold";
        }
        if (!rule.isLongEnough(duration, in.typeOf(event).ticksPerSecond())) {
            return "contextThreshold";
        }
        if (!decision.isMatch(event)) {
            return "contextMatch";
        }
        return decision.matters(event) ? "select" : "contextThrottle";
    }

    private void add(RecordedEvent event, int sign) {
        String type = event.getString("eventType");
        long sum = event.getLong("kept");
        for (String reason : REASONS) {
            said.merge(new Key(type, reason), sign * event.getLong(reason), Long::sum);
            sum += event.getLong(reason);
        }
        said.merge(new Key(type, null), sign * (event.getLong("offered") - sum), Long::sum);
    }

    /** What is wrong, by type and reason; empty: nothing. */
    Map<String, String> findWrong() {
        Map<String, String> wrong = new TreeMap<>();
        TreeSet<String> types = new TreeSet<>();
        said.keySet().forEach(key -> types.add(key.type));
        dropped.keySet().forEach(key -> types.add(key.type));
        for (String type : types) {
            if (said.getOrDefault(new Key(type, null), 0L) != 0) {
                wrong.put(type, "offered is not kept and dropped");
            }
            for (String reason : REASONS) {
                Key key = new Key(type, reason);
                long found = said.getOrDefault(key, 0L);
                long least = dropped.getOrDefault(key, 0L);
                long most = least + either.getOrDefault(key, 0L);
                if (found < least || found > most) {
                    wrong.put(type + " by " + reason,
                            found + ", not " + least + " to " + most + " of "
                                    + offered.get(new Key(type, null)));
                }
            }
        }
        return wrong;
    }
}
